import COpenSSL

/// Bytes nobody can guess, from OpenSSL's generator. Throws `library` if the system has no randomness to give.
public func randomBytes(_ count: Int) throws(SignatureError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try OpenSSL.require(.library, "no random bytes") { RAND_bytes(&bytes, Int32(count)) }
    return bytes
}
