public import FoundationEssentials
import Signatures

/// Identifies a stream: the first 16 bytes of a SHA-256 over its key.
public struct StreamID: Sendable, Hashable, Comparable {
    /// The bytes, as PostgreSQL keeps them.
    public let uuid: UUID

    init(_ uuid: UUID) { self.uuid = uuid }

    /// The top ten bits. So the order of ids is the order of (lane, id), and a lane range is one range of ids.
    public var lane: Int16 {
        Int16(uuid.uuid.0) << 2 | Int16(uuid.uuid.1) >> 6
    }

    /// By bytes, as PostgreSQL compares them.
    public static func < (left: StreamID, right: StreamID) -> Bool { left.uuid < right.uuid }
}

extension UUID {
    /// The first 16 bytes of a digest.
    init(prefixOf digest: SHA256.Digest) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: digest.bytes.prefix(16)) }
        self.init(uuid: bytes)
    }
}

/// Bytes of fields for a hash: each with its length, so that no two lists of fields give the same bytes.
struct HashedFields {
    private(set) var bytes: [UInt8] = []

    /// Begins with what is hashed: hashes of different things never meet.
    init(of purpose: String) { append(purpose) }

    mutating func append(_ text: String) { append(Array(text.utf8)) }

    mutating func append(_ field: [UInt8]) {
        withUnsafeBytes(of: UInt32(clamping: field.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: field)
    }

    var digest: SHA256.Digest { SHA256.hash(bytes) }
}
