public import Entitlements
public import FoundationEssentials
import Signatures

/// An event as the log stores it: columns and bytes, no meaning.
public struct EventContent: Sendable, Hashable {
    /// What it says; the same key again in the stream is the same event.
    public var dedupeKey: UUID
    /// What kind of event; numbers are never reused.
    public var kind: Int16
    /// How it came to us.
    public var source: Int16
    /// When it happened, by the signed object.
    public var occurredAt: Milliseconds
    /// When the service first knew it.
    public var learnedAt: Milliseconds
    /// The catalog revision in force when it was decided.
    public var catalogRevision: Int32
    /// The transaction it is about, or empty.
    public var transactionId: String
    /// The lineage it is about, or empty.
    public var originalTransactionId: String
    /// The header of the JWS, see `ChainDirectory`; 0 is none.
    public var chainID: Int32
    /// The payload as it was signed, or what the service says itself.
    public var payload: [UInt8]
    /// The signature, or empty.
    public var signature: [UInt8]
    /// The verdict at intake, or empty.
    public var meta: [UInt8]

    /// An event that is not signed; set the other members for one that is.
    public init(
        dedupeKey: UUID, kind: Int16, source: Int16, occurredAt: Milliseconds, learnedAt: Milliseconds,
        payload: [UInt8]
    ) {
        self.dedupeKey = dedupeKey
        self.kind = kind
        self.source = source
        self.occurredAt = occurredAt
        self.learnedAt = learnedAt
        self.payload = payload
        catalogRevision = 0
        transactionId = ""
        originalTransactionId = ""
        chainID = 0
        signature = []
        meta = []
    }

    /// The key of what an event says: the first 16 bytes of a SHA-256 over the parts. Make the parts from verified content,
    /// never from what a client calls it.
    public static func dedupeKey(kind: Int16, parts: [[UInt8]]) -> UUID {
        var fields = HashedFields(of: "entitled event 1")
        fields.append(withUnsafeBytes(of: kind.bigEndian) { Array($0) })
        for part in parts { fields.append(part) }
        return UUID(prefixOf: fields.digest)
    }

    /// Tells the contents of one object apart: the first 16 bytes of a SHA-256 over its canonical JSON text.
    public static func contentHash(of canonicalText: [UInt8]) -> UUID {
        var fields = HashedFields(of: "entitled content 1")
        fields.append(canonicalText)
        return UUID(prefixOf: fields.digest)
    }
}

/// A newer signing date of a copy that says nothing new (rules.md R1): kept beside the log, no event.
public struct ResignedCopy: Sendable, Hashable {
    /// What kind of object, in the numbers of the events.
    public var kind: Int16
    /// The object: the transaction id, or the lineage of a renewal info.
    public var objectID: String
    /// Which of its contents was signed again: the first 16 bytes of a hash.
    public var contentHash: UUID
    /// When Apple signed it.
    public var signedAt: Milliseconds

    /// A signing date.
    public init(kind: Int16, objectID: String, contentHash: UUID, signedAt: Milliseconds) {
        self.kind = kind
        self.objectID = objectID
        self.contentHash = contentHash
        self.signedAt = signedAt
    }
}
