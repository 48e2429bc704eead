import CLibevent

/// What OpenSSL needs to accept TLS connections; shared by all loops.
final class TLSContext: Sendable {
    // Counted by OpenSSL and not changed after `init`; making sessions from it is thread-safe.
    nonisolated(unsafe) private let ownedContext: OpaquePointer

    init(_ identity: HTTPServer.TLSIdentity) throws(EventLoopError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw EventLoopError(code: .resourcesExhausted, message: "OpenSSL cannot make a TLS context")
        }
        ownedContext = context
        shim_tls_require_1_2(context)
        guard SSL_CTX_use_certificate_chain_file(context, identity.certificateChainFile) == 1 else {
            throw Self.unusable("no certificate chain in PEM form can be read from \(identity.certificateChainFile)")
        }
        guard SSL_CTX_use_PrivateKey_file(context, identity.privateKeyFile, SSL_FILETYPE_PEM) == 1 else {
            throw Self.unusable("no private key of that certificate can be read from \(identity.privateKeyFile)")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw Self.unusable("certificate and private key do not belong together")
        }
    }

    deinit { SSL_CTX_free(ownedContext) }

    /// A bufferevent that will do the handshake of one accepted connection. The caller owns it; it owns its session.
    func makeOwnedTransport(base: OpaquePointer) -> OpaquePointer? {
        guard let session = SSL_new(ownedContext) else { return nil }
        let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
        guard
            let transport = bufferevent_openssl_socket_new(base, -1, session, BUFFEREVENT_SSL_ACCEPTING, options)
        else {
            SSL_free(session)
            return nil
        }
        return transport
    }

    private static func unusable(_ message: String) -> EventLoopError {
        ERR_clear_error()
        return EventLoopError(code: .certificateUnusable, message: message)
    }
}
