public import Entitlements

/// All that is stored about an account: what was told of it, as it was signed, and what follows. It may name other accounts, as a
/// purchase that moved does.
public struct AccountExport: Sendable {
    /// The app.
    public var bundleId: String
    /// The account.
    public var account: AccountID
    /// When it was made.
    public var at: Milliseconds
    /// Since when the account is known; nil when it never authenticated, or was erased.
    public var knownSince: Milliseconds?
    /// One for each environment that has anything, or the one asked for.
    public var parts: [Part]

    /// What is stored in one environment.
    public struct Part: Sendable {
        /// The events exported, in order, each with the signed text behind it, if it has one.
        public var events: [(entry: HistoryEntry, evidence: Evidence?, original: String?)]
        /// The event to read on after; nil when all are here.
        public var next: Int64?
        /// Signing dates of copies that said nothing new.
        public var notes: [SigningNote]
        /// Operators' grants.
        public var grants: [AccountState.GrantState]
        /// The snapshot, who owns each lineage, and the ledger line by line.
        public var explanation: Explanation
    }
}

extension AccountExport {
    /// Writes the export.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleId", bundleId)
            writer.member("account", account.description)
            writer.member("exportedAt", at)
            writer.member("knownSince", knownSince)
            writer.name("environments")
            writer.array { writer in
                for part in parts { part.write(to: &writer) }
            }
        }
    }
}

extension AccountExport.Part {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("environment", explanation.snapshot.environment.rawValue)
            writer.name("snapshot")
            explanation.snapshot.write(to: &writer)
            writer.list("events", events) { writer, event in
                writer.object { writer in
                    writer.name("entry")
                    event.entry.write(to: &writer, for: .support)
                    writer.member("signed", event.original)
                    writer.name("verdict")
                    writer.value(event.evidence.map { .object($0.verdict) } ?? .null)
                }
            }
            writer.member("next", next)
            writer.list("signedAgain", notes) { $1.write(to: &$0) }
            writer.list("bindings", explanation.lineages) { writer, lineage in
                writer.object { writer in
                    writer.member("originalTransactionId", lineage.id)
                    writer.list("owners", lineage.owners) { $1.span.write(to: &$0) }
                }
            }
            writer.list("grants", grants) { $1.write(to: &$0) }
            writer.list("ledger", explanation.balances.flatMap(\.lines)) { $1.write(to: &$0) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }
}

extension SigningNote {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch object {
            case .transaction(let transaction):
                writer.member("transactionId", transaction.transactionId)
                writer.member("signedDate", transaction.signedDate)
            case .renewalInfo(let renewalInfo):
                writer.member("originalTransactionId", renewalInfo.originalTransactionId)
                writer.member("signedDate", renewalInfo.signedDate)
            }
            writer.member("recordedAt", recordedAt)
        }
    }
}

extension OwnerSpan {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("from", start == .min ? nil : start)
            writer.member("account", owner?.description)
            writer.member("cause", cause.rawValue)
        }
    }
}

extension AccountState.GrantState {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", grant.id)
            writer.member("entitlement", grant.entitlement)
            writer.member("from", grant.from)
            writer.member("until", grant.until)
            writer.member("reason", grant.reason)
            writer.member("grantedAt", grantedAt)
            writer.member("revokedAt", revokedAt)
        }
    }
}
