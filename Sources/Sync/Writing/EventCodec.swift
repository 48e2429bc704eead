import AppStore
package import Entitlements
package import EventLog
import Signatures

/// Between events and the log's rows. What Apple signed is kept as signed; what the service says itself is JSON.
package enum EventCodec {
    /// The row of an event of a stream that was last erased at `erasedAt`: an erasure leaves keys in the log, and what it
    /// emptied may come again.
    package static func content(
        of event: Event, catalogRevision: Int32, erasedAt: Milliseconds? = nil
    ) -> EventContent {
        let (kind, identity, body) = description(of: event)
        var content = EventContent(
            dedupeKey: EventContent.dedupeKey(
                kind: kind.rawValue, parts: keyParts(of: event, identity, erasedAt: erasedAt)),
            kind: kind.rawValue, source: event.source.number, occurredAt: occurredAt(event),
            learnedAt: event.learnedAt, payload: body)
        content.catalogRevision = catalogRevision
        content.originalTransactionId = event.lineage ?? ""
        content.transactionId = subject(of: event)
        if let evidence = event.evidence {
            content.chainID = evidence.chain
            content.payload = evidence.payload
            content.signature = evidence.signature
        }
        content.meta = meta(of: event)
        return content
    }

    private static func keyParts(
        of event: Event, _ identity: [String], erasedAt: Milliseconds?
    ) -> [[UInt8]] {
        var parts = identity.map { Array($0.utf8) }
        switch event.body {
        case .transaction, .renewalInfo:
            // Its bytes are its identity: a copy signed anew is another one, should it be news again.
            if let evidence = event.evidence { parts = [evidence.payload] }
        default: break
        }
        if let erasedAt { parts.append(Array("after \(erasedAt)".utf8)) }
        return parts
    }

    private static func occurredAt(_ event: Event) -> Milliseconds {
        switch event.body {
        case .transaction(let transaction, _): transaction.signedDate ?? transaction.purchaseDate ?? event.learnedAt
        case .renewalInfo(let renewalInfo): renewalInfo.signedDate ?? event.learnedAt
        case .notification(let notification, let transaction, let renewalInfo, _):
            notification.signedDate ?? transaction?.signedDate ?? renewalInfo?.signedDate ?? event.learnedAt
        default: event.learnedAt
        }
    }

    /// What operators search by.
    private static func subject(of event: Event) -> String {
        switch event.body {
        case .transaction(let transaction, _): transaction.transactionId
        case .notification(_, let transaction, _, _): transaction?.transactionId ?? ""
        case .claimed(_, let transactionId, _): transactionId
        case .granted(let grant): grant.id
        case .grantRevoked(let id): id
        default: ""
        }
    }

    private static func description(of event: Event) -> (EventKind, identity: [String], body: [UInt8]) {
        func own(_ kind: EventKind, _ identity: [String], _ members: [(String, JSONValue)]) -> (
            EventKind, [String], [UInt8]
        ) {
            (kind, identity, JSONObject(members).canonicalText)
        }
        // An act of the same kind may come again later: its time tells it apart.
        let at = String(event.learnedAt)
        switch event.body {
        case .transaction(let transaction, _): return (.transaction, [transaction.transactionId, at], [])
        case .renewalInfo(let renewalInfo): return (.renewalInfo, [renewalInfo.originalTransactionId, at], [])
        case .notification(let notification, _, _, _): return (.notification, [notification.notificationUUID], [])
        case .claimed(let lineage, let transactionId, let account):
            return own(
                .claimed, [lineage, transactionId, at],
                [
                    ("lineage", .string(lineage)), ("transactionId", .string(transactionId)),
                    ("account", .string(account.description)),
                ])
        case .moved(let lineage, let account, let cause):
            return own(
                .moved, [lineage, account.description, at],
                [
                    ("lineage", .string(lineage)), ("account", .string(account.description)),
                    ("cause", .string(cause.rawValue)),
                ])
        case .tokenKnown(let lineage, let account):
            return own(
                .tokenKnown, [lineage, account.description, at],
                [("lineage", .string(lineage)), ("account", .string(account.description))])
        case .granted(let grant):
            return own(
                .granted, [grant.id],
                [
                    ("id", .string(grant.id)), ("entitlement", .string(grant.entitlement)),
                    ("from", .integer(grant.from)), ("until", JSONValue(grant.until)),
                    ("reason", JSONValue(grant.reason)),
                ])
        case .grantRevoked(let id): return own(.grantRevoked, [id], [("id", .string(id))])
        case .spent(let spend):
            return own(
                .spent, [spend.idempotencyKey],
                [
                    ("currency", .string(spend.currency)), ("amount", .integer(spend.amount)),
                    ("idempotencyKey", .string(spend.idempotencyKey)),
                ])
        case .erased: return own(.erased, [at], [])
        case .locked(let lineage): return own(.locked, [lineage, at], [("lineage", .string(lineage))])
        case .freed(let lineage): return own(.freed, [lineage, at], [("lineage", .string(lineage))])
        }
    }

    /// The verdict at intake, and what was decided about the object then: a replay never judges again (rules.md R10).
    private static func meta(of event: Event) -> [UInt8] {
        guard event.body.isSigned else { return [] }
        var members = event.evidence?.verdict ?? JSONObject()
        switch event.body {
        case .transaction(_, true), .notification(_, _, _, true): members["tokenIsKnown"] = .bool(true)
        default: break
        }
        if case .notification(_, let transaction, let renewalInfo, _) = event.body {
            if transaction != nil { members["tookTransaction"] = .bool(true) }
            if renewalInfo != nil { members["tookRenewalInfo"] = .bool(true) }
        }
        return members.canonicalText
    }
}

/// A row of the log that is not what this release wrote: damaged, or of a newer release.
package struct UnreadableEvent: Error, Sendable, CustomStringConvertible {
    /// The stream.
    package let stream: StreamID
    /// The event's number in it.
    package let seq: Int64
    /// Why.
    package let reason: String

    /// A sentence for the operator.
    package var description: String { "Event \(seq) of a stream in lane \(stream.lane) cannot be read: \(reason)" }
}
