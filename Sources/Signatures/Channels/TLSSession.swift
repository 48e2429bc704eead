import COpenSSL

/// One TLS connection from the client's side, without any I/O: what came from the network goes in by `receive`, what is to
/// be sent there comes out by `takeOutgoing`. The server must prove the host's name by a certificate that `TLSTrust` believes.
public final class TLSSession {
    private let ownedSession: OpaquePointer
    /// Both belong to the session.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    /// A session with a host, given by name or address. Throws `library`.
    public init(host: String, trust: TLSTrust) throws(SignatureError) {
        let session = try OpenSSL.attempt(.library, "OpenSSL cannot make a TLS session") {
            SSL_new(trust.ownedContext)
        }
        ownedSession = session
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            // Only without memory; what was made of the two is lost with it.
            SSL_free(session)
            throw SignatureError(.library, "OpenSSL cannot make buffers")
        }
        self.incoming = incoming
        self.outgoing = outgoing
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_connect_state(session)
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) != 1 {
            try OpenSSL.require(.library, "the host's name cannot be used") { SSL_set1_host(session, host) }
            COpenSSL_set_server_name(session, host)
        }
    }

    deinit { SSL_free(ownedSession) }

    /// Goes on with the handshake; true when it is complete. Throws `certificate` when the server is not believed.
    public func handshake() throws(SignatureError) -> Bool {
        ERR_clear_error()
        let status = SSL_do_handshake(ownedSession)
        if status == 1 { return true }
        guard SSL_get_error(ownedSession, status) == SSL_ERROR_WANT_READ else {
            ERR_clear_error()
            let verdict = SSL_get_verify_result(ownedSession)
            let reason = String(cString: X509_verify_cert_error_string(verdict))
            throw SignatureError(
                .certificate,
                verdict == Int(X509_V_OK) ? "the TLS handshake failed" : "the server is not believed: \(reason)")
        }
        return false
    }

    /// What the network has brought.
    public func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            // A memory buffer takes everything.
            _ = BIO_write(incoming, buffer.baseAddress, Int32(clamping: buffer.count))
        }
    }

    /// What the network is to take.
    public func takeOutgoing() -> [UInt8] {
        let count = Int(BIO_ctrl_pending(outgoing))
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: count))))
        }
    }

    /// Encrypts; see `takeOutgoing`. After the handshake. Throws `library`.
    public func send(_ bytes: [UInt8]) throws(SignatureError) {
        guard !bytes.isEmpty else { return }
        try OpenSSL.attempt(.library, "TLS cannot send") {
            bytes.withUnsafeBufferPointer { buffer in
                SSL_write(ownedSession, buffer.baseAddress, Int32(clamping: buffer.count)) > 0 ? () : nil
            }
        }
    }

    /// What can be decrypted of what has come; nil when the server has said that nothing more comes. Throws `library` when
    /// the data are not the server's.
    public func read() throws(SignatureError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            ERR_clear_error()
            let count = chunk.withUnsafeMutableBufferPointer { buffer in
                SSL_read(ownedSession, buffer.baseAddress, Int32(buffer.count))
            }
            if count > 0 {
                bytes += chunk[..<Int(count)]
                continue
            }
            switch SSL_get_error(ownedSession, count) {
            case SSL_ERROR_WANT_READ: return bytes
            case SSL_ERROR_ZERO_RETURN: return bytes.isEmpty ? nil : bytes
            default:
                ERR_clear_error()
                throw SignatureError(.library, "the TLS connection is broken")
            }
        }
    }
}
