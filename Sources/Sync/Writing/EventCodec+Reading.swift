import AppStore
package import Entitlements
package import EventLog
import FoundationEssentials
import Signatures

extension EventCodec {
    /// The event in a row. A row emptied by an erasure gives nil.
    package static func event(from row: StoredEvent) throws(UnreadableEvent) -> Event? {
        guard let kind = EventKind(rawValue: row.content.kind) else {
            throw unreadable(row, "kind \(row.content.kind) is unknown to this release")
        }
        guard let source = Event.Source(number: row.content.source) else {
            throw unreadable(row, "source \(row.content.source) is unknown to this release")
        }
        let isSigned = kind == .transaction || kind == .renewalInfo || kind == .notification
        // An erasure empties all up to and with its own event; that one says by its kind what it says.
        if row.content.payload.isEmpty, kind != .erased { return nil }
        let meta = isSigned ? try object(row.content.meta, row) : JSONObject()
        let body = try isSigned ? signedBody(kind, meta, row) : ownBody(kind, row)
        var evidence: Evidence?
        if isSigned {
            var verdict = meta
            for name in ["tokenIsKnown", "tookTransaction", "tookRenewalInfo"] { verdict[name] = nil }
            evidence = Evidence(
                payload: row.content.payload, signature: row.content.signature, chain: row.content.chainID,
                verdict: verdict)
        }
        return Event(
            body: body, source: source, recordedAt: row.recordedAt, learnedAt: row.content.learnedAt,
            evidence: evidence)
    }

    private static func unreadable(_ row: StoredEvent, _ reason: String) -> UnreadableEvent {
        UnreadableEvent(stream: row.streamID, seq: row.seq, reason: reason)
    }

    private static func object(_ bytes: [UInt8], _ row: StoredEvent) throws(UnreadableEvent) -> JSONObject {
        guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(bytes: 1 << 22)),
            let object = value.objectValue
        else { throw unreadable(row, "its JSON is damaged") }
        return object
    }

    private static func signedBody(
        _ kind: EventKind, _ meta: JSONObject, _ row: StoredEvent
    ) throws(UnreadableEvent) -> Event.Body {
        let tokenIsKnown = meta["tokenIsKnown"]?.boolValue ?? false
        switch kind {
        case .transaction:
            guard let transaction = Transaction(payload: try object(row.content.payload, row)) else {
                throw unreadable(row, "it is no transaction")
            }
            return .transaction(transaction, tokenIsKnown: tokenIsKnown)
        case .renewalInfo:
            guard let renewalInfo = RenewalInfo(payload: try object(row.content.payload, row)) else {
                throw unreadable(row, "it is no renewal info")
            }
            return .renewalInfo(renewalInfo)
        default:
            // The certificates play no part in reading: any header will do.
            let stored = StoredJWS(
                headerHash: SHA256.hash([]), payload: row.content.payload, signature: row.content.signature)
            guard let payload = stored.originalPayload(headers: { _ in Array("e30".utf8) }) else {
                throw unreadable(row, "its payload is damaged")
            }
            let envelope = try object(payload, row)
            guard let notification = StoreNotification(payload: envelope) else {
                throw unreadable(row, "it is no notification")
            }
            let tookTransaction = meta["tookTransaction"]?.boolValue ?? false
            let tookRenewalInfo = meta["tookRenewalInfo"]?.boolValue ?? false
            return .notification(
                notification,
                tookTransaction
                    ? try inner("signedTransactionInfo", of: envelope, row).flatMap(Transaction.init) : nil,
                tookRenewalInfo ? try inner("signedRenewalInfo", of: envelope, row).flatMap(RenewalInfo.init) : nil,
                tokenIsKnown: tokenIsKnown)
        }
    }

    private static func inner(
        _ name: String, of envelope: JSONObject, _ row: StoredEvent
    ) throws(UnreadableEvent) -> JSONObject? {
        for container in StoreNotification.containers {
            guard let text = envelope[container]?.objectValue?[name]?.stringValue else { continue }
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64URL.decode(Array(parts[1])) else {
                throw unreadable(row, "the object inside it is damaged")
            }
            return try object(payload, row)
        }
        return nil
    }

    private static func ownBody(_ kind: EventKind, _ row: StoredEvent) throws(UnreadableEvent) -> Event.Body {
        let members = try object(row.content.payload.isEmpty ? Array("{}".utf8) : row.content.payload, row)
        func text(_ name: String) throws(UnreadableEvent) -> String {
            guard let text = members[name]?.stringValue else { throw unreadable(row, "it has no \(name)") }
            return text
        }
        func account() throws(UnreadableEvent) -> AccountID {
            guard let account = AccountID(try text("account")) else { throw unreadable(row, "its account is no UUID") }
            return account
        }
        switch kind {
        case .claimed:
            return .claimed(
                lineage: try text("lineage"), transactionId: try text("transactionId"), by: try account())
        case .moved:
            guard let cause = Event.MoveCause(rawValue: try text("cause")) else {
                throw unreadable(row, "its cause is unknown")
            }
            return .moved(lineage: try text("lineage"), to: try account(), cause: cause)
        case .tokenKnown: return .tokenKnown(lineage: try text("lineage"), account: try account())
        case .granted:
            guard let from = members["from"]?.integerValue else { throw unreadable(row, "it has no from") }
            return .granted(
                Grant(
                    id: try text("id"), entitlement: try text("entitlement"), from: from,
                    until: members["until"]?.integerValue, reason: members["reason"]?.stringValue))
        case .grantRevoked: return .grantRevoked(id: try text("id"))
        case .spent:
            guard let amount = members["amount"]?.integerValue else { throw unreadable(row, "it has no amount") }
            return .spent(
                Spend(
                    currency: try text("currency"), amount: amount, idempotencyKey: try text("idempotencyKey")))
        case .locked: return .locked(lineage: try text("lineage"))
        case .freed: return .freed(lineage: try text("lineage"))
        default: return .erased
        }
    }

    static func contentHash(of content: SignedContent) -> UUID {
        EventContent.contentHash(of: content.members.canonicalText)
    }

    /// The row of a signing note.
    package static func resigned(_ note: SigningNote) -> ResignedCopy {
        switch note.object {
        case .transaction(let transaction):
            ResignedCopy(
                kind: EventKind.transaction.rawValue, objectID: transaction.transactionId,
                contentHash: contentHash(of: transaction.content),
                signedAt: transaction.signedDate ?? unsignedDate)
        case .renewalInfo(let renewalInfo):
            ResignedCopy(
                kind: EventKind.renewalInfo.rawValue, objectID: renewalInfo.originalTransactionId,
                contentHash: contentHash(of: renewalInfo.content),
                signedAt: renewalInfo.signedDate ?? unsignedDate)
        }
    }

    /// Folds a signing note's row into a state.
    package static func apply(_ row: ResignedCopy, to state: inout AccountState) {
        func matches(_ content: SignedContent) -> Bool {
            contentHash(of: content) == row.contentHash
        }
        if row.kind == EventKind.transaction.rawValue {
            state.noteSigningDate(row.signedAt, ofTransaction: row.objectID, where: matches)
        } else {
            state.noteSigningDate(row.signedAt, ofRenewalInfo: row.objectID, where: matches)
        }
    }
}
