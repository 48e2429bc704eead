import Entitlements
import EventLog
import FoundationEssentials

/// The signed objects of a stream, found by the hash of what they say: a signing date in the log names its copy so.
struct CopiesByHash {
    private struct Name: Hashable {
        let kind: Int16
        let objectID: String
        let content: UUID
    }

    private var objects: [Name: SigningNote.SignedObject] = [:]

    /// Remembers what an event brought.
    mutating func add(_ event: Event) {
        switch event.body {
        case .transaction(let transaction, _): add(transaction)
        case .renewalInfo(let renewalInfo): add(renewalInfo)
        case .notification(_, let transaction, let renewalInfo, _):
            if let transaction { add(transaction) }
            if let renewalInfo { add(renewalInfo) }
        default: break
        }
    }

    private mutating func add(_ transaction: Transaction) {
        let name = Name(
            kind: EventKind.transaction.rawValue, objectID: transaction.transactionId,
            content: EventCodec.contentHash(of: transaction.content))
        objects[name] = .transaction(transaction)
    }

    private mutating func add(_ renewalInfo: RenewalInfo) {
        let name = Name(
            kind: EventKind.renewalInfo.rawValue, objectID: renewalInfo.originalTransactionId,
            content: EventCodec.contentHash(of: renewalInfo.content))
        objects[name] = .renewalInfo(renewalInfo)
    }

    /// The note of a row; nil when its copy is not in the stream.
    func note(_ row: StoredResignedCopy) -> SigningNote? {
        let name = Name(kind: row.copy.kind, objectID: row.copy.objectID, content: row.copy.contentHash)
        let signedDate = row.copy.signedAt == unsignedDate ? nil : row.copy.signedAt
        return objects[name].map { SigningNote(object: $0.signed(at: signedDate), recordedAt: row.recordedAt) }
    }
}
