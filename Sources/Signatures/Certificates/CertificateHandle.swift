import COpenSSL

/// Owns one `X509`.
///
/// `@unchecked Sendable`: the certificate is complete when this is made and never changed after. OpenSSL fills its caches
/// of extensions under a lock of its own, and `init` has it do so at once.
final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        _ = X509_check_purpose(pointer, -1, 0)
    }

    deinit {
        X509_free(pointer)
    }
}
