import COpenSSL

/// Whom a TLS client believes: the certificate authorities of this machine, or those of a file.
///
/// `@unchecked Sendable`: complete when it is made and not changed after; OpenSSL counts the references itself.
public final class TLSTrust: @unchecked Sendable {
    let ownedContext: OpaquePointer

    /// Reads the authorities. `rootsFile`: certificates in PEM that take the place of the machine's. Throws `library` and
    /// `certificate`.
    public init(rootsFile: String? = nil) throws(SignatureError) {
        let context = try OpenSSL.attempt(.library, "OpenSSL cannot make a TLS context") {
            SSL_CTX_new(TLS_client_method())
        }
        ownedContext = context
        COpenSSL_require_tls_1_2(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if let rootsFile {
            try OpenSSL.require(.certificate, "no certificates in PEM can be read from the file of roots") {
                SSL_CTX_load_verify_locations(context, rootsFile, nil)
            }
        } else {
            try OpenSSL.require(.certificate, "the machine's certificate authorities cannot be read") {
                SSL_CTX_set_default_verify_paths(context)
            }
        }
    }

    deinit { SSL_CTX_free(ownedContext) }
}
