extension HistoryEntry {
    /// Who reads: a device must not learn which other account a purchase came from or went to.
    public enum Audience: Sendable, Hashable {
        case device, support
    }

    /// Writes one entry; members that say nothing are left out.
    public func write(to writer: inout JSONWriter, for audience: Audience) {
        writer.object { writer in
            writer.member("version", version)
            writer.member("type", type.rawValue)
            writer.member("effectiveAt", effectiveAt)
            writer.member("recordedAt", recordedAt)
            writer.member("learnedAt", learnedAt)
            writer.member("source", source.rawValue)
            var texts: [(String, String?)] = [
                ("transactionId", transactionId), ("originalTransactionId", originalTransactionId),
                ("productId", productId), ("reason", reason), ("notificationType", notificationType),
                ("subtype", subtype), ("notificationUUID", notificationUUID), ("grantId", grantId),
                ("entitlement", entitlement),
            ]
            if audience == .support {
                texts.append(("transferredFrom", transferredFrom?.description))
                texts.append(("transferredTo", transferredTo?.description))
            }
            for (name, text) in texts where text != nil { writer.member(name, text) }
            if isOutdated { writer.member("isOutdated", true) }
            guard !balanceChanges.isEmpty else { return }
            writer.name("balanceChanges")
            writer.array { writer in
                for line in balanceChanges { line.write(to: &writer) }
            }
        }
    }
}

extension LedgerLine {
    /// Writes what it did: `{"currency":…,"change":…,"balance":…}` with its cause.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("currency", currency)
            writer.member("change", change)
            writer.member("balance", balance)
            writer.member("cause", entry.word)
            if let id = entry.transactionId { writer.member("transactionId", id) }
            if shortfall > 0 { writer.member("shortfall", shortfall) }
            if let fault { writer.member("fault", fault.rawValue) }
            if case .spend(let spend, _) = entry { writer.member("idempotencyKey", spend.idempotencyKey) }
            writer.member("recordedAt", entry.at)
        }
    }
}

extension LedgerEntry {
    /// What kind of entry: `credit`, `refund`, `reversal` or `spend`.
    var word: String {
        switch self {
        case .credit: "credit"
        case .refund: "refund"
        case .reversal: "reversal"
        case .spend: "spend"
        }
    }

    /// The consumable it is about; a spend is about none.
    var transactionId: String? {
        switch self {
        case .credit(let id, _, _, _), .refund(let id, _, _), .reversal(let id, _): id
        case .spend: nil
        }
    }

    /// When it was entered.
    var at: Milliseconds {
        switch self {
        case .credit(_, _, _, let at), .refund(_, _, let at), .reversal(_, let at), .spend(_, let at): at
        }
    }
}

extension History {
    /// Writes the entries as an array.
    public func write(to writer: inout JSONWriter, for audience: HistoryEntry.Audience) {
        writer.array { writer in
            for entry in entries { entry.write(to: &writer, for: audience) }
        }
    }
}
