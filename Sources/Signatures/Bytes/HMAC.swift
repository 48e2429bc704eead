import COpenSSL

/// Authentication codes by HMAC-SHA256 (RFC 2104).
public enum HMACSHA256 {
    /// The 32 bytes that authenticate the message under the key.
    public static func authenticationCode(for message: some Collection<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        withBytes(key) { key in
            withBytes(message) { message in
                [UInt8](unsafeUninitializedCapacity: 32) { code, count in
                    var length: UInt32 = 0
                    let done = COpenSSL.HMAC(
                        MessageDigest.sha256.pointer, key.baseAddress, Int32(key.count), message.baseAddress,
                        message.count, code.baseAddress, &length)
                    // As with SHA-256, only exhausted memory fails here.
                    precondition(done != nil && length == 32, "OpenSSL could not compute HMAC-SHA256")
                    count = 32
                }
            }
        }
    }

    /// Whether the code is the message's, in a time that does not depend on where they differ.
    public static func isValid(
        _ code: some Collection<UInt8>, for message: some Collection<UInt8>, key: some Collection<UInt8>
    ) -> Bool {
        constantTimeEqual(code, authenticationCode(for: message, key: key))
    }
}

/// Whether both are the same bytes, in a time that depends on their length only.
public func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    withBytes(left) { left in
        withBytes(right) { right in
            left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}
