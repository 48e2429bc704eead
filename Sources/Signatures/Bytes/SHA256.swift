import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The 32 bytes of a hash, kept inline: a key for dictionaries that costs no allocation.
    public struct Digest: Hashable, Sendable, CustomStringConvertible {
        private let first, second, third, fourth: UInt64

        fileprivate init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
            (first, second, third, fourth) = words
        }

        /// A digest read back from where it was stored; nil unless it is 32 bytes.
        public init?(_ bytes: some Collection<UInt8>) {
            guard bytes.count == 32 else { return nil }
            var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
            withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
            self.init(words)
        }

        /// The 32 bytes.
        public var bytes: [UInt8] {
            withUnsafeBytes(of: (first, second, third, fourth)) { Array($0) }
        }

        /// 64 lower-case hexadecimal digits.
        public var description: String { Hex.encode(bytes) }
    }

    /// The hash of the bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> Digest {
        withBytes(bytes) { hash($0) }
    }

    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Digest {
        var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        let done = withUnsafeMutableBytes(of: &words) {
            EVP_Digest(
                bytes.baseAddress, bytes.count, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                MessageDigest.sha256.pointer, nil)
        }
        // Can only fail when memory is exhausted; going on with a wrong hash would be worse than stopping.
        precondition(done == 1, "OpenSSL could not compute SHA-256")
        return Digest(words)
    }
}

/// A digest algorithm of OpenSSL, fetched from its provider once instead of at each use.
///
/// `@unchecked Sendable`: an `EVP_MD` is immutable and lives as long as the process.
struct MessageDigest: @unchecked Sendable {
    let pointer: OpaquePointer?

    static let sha256 = MessageDigest(pointer: EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256())
    static let sha384 = MessageDigest(pointer: EVP_MD_fetch(nil, "SHA384", nil) ?? EVP_sha384())
}
