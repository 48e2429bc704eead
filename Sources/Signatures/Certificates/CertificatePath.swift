import COpenSSL

/// A proved path: the leaf was issued by the intermediate, and that by a root which was trusted beforehand.
///
/// The dates are left out of the proof, so that one proof serves every object signed under the path: whoever uses it asks
/// ``firstInvalid(at:)`` for the instant that counts.
public struct CertificatePath: Sendable {
    /// Where in the path a certificate stands.
    public enum Position: String, Hashable, Sendable {
        /// Signs the data.
        case leaf
        /// Issued the leaf.
        case intermediate
        /// Trusted beforehand.
        case root
    }

    /// Why there is no path.
    public struct Failure: Error, Hashable, Sendable {
        /// The certificate at which OpenSSL stopped.
        public let position: Position
        /// OpenSSL's reason.
        public let reason: String
    }

    /// Signs the data.
    public let leaf: Certificate
    /// Issued the leaf.
    public let intermediate: Certificate
    /// The trusted root that issued the intermediate.
    public let root: Certificate

    /// Proves the path leaf ← intermediate ← one of the roots, exactly three certificates long.
    ///
    /// Only the given roots count, never the system's. Strict checks stay off: genuine test chains lack key identifiers
    /// (see "The real chain" in Apple's libraries), and presence of Apple's own extensions is the caller's to ask.
    public init(leaf: Certificate, intermediate: Certificate, trustedRoots: [Certificate]) throws(Failure) {
        ERR_clear_error()
        let store = X509_STORE_new()
        let untrusted = COpenSSL_x509_stack_of(intermediate.handle.pointer)
        let context = X509_STORE_CTX_new()
        // Freeing nil is allowed: it stands for what could not be made.
        defer {
            X509_STORE_CTX_free(context)
            COpenSSL_x509_stack_free(untrusted)
            X509_STORE_free(store)
        }
        guard let store, let untrusted, let context else { throw Failure(position: .leaf, reason: "out of memory") }
        for root in trustedRoots { X509_STORE_add_cert(store, root.handle.pointer) }
        guard X509_STORE_CTX_init(context, store, leaf.handle.pointer, untrusted) == 1 else {
            throw Failure(position: .leaf, reason: "the check cannot be started")
        }
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        // 112 bits: refuses SHA-1 and short keys.
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        guard X509_verify_cert(context) == 1 else {
            throw Failure(
                position: Self.position(depth: X509_STORE_CTX_get_error_depth(context)),
                reason: String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))))
        }
        let chain = X509_STORE_CTX_get0_chain(context)
        guard COpenSSL_x509_stack_count(chain) == 3,
            let top = COpenSSL_x509_stack_get(chain, 2),
            let root = trustedRoots.first(where: { X509_cmp($0.handle.pointer, top) == 0 })
        else { throw Failure(position: .intermediate, reason: "the path is not leaf, intermediate, trusted root") }
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
    }

    private static func position(depth: Int32) -> Position {
        switch depth {
        case 0: .leaf
        case 1: .intermediate
        default: .root
        }
    }

    /// The certificates with their places, leaf first.
    public var certificates: [(position: Position, certificate: Certificate)] {
        [(.leaf, leaf), (.intermediate, intermediate), (.root, root)]
    }

    /// The first certificate, from the leaf, that is not valid at the instant (milliseconds since 1970 UTC).
    public func firstInvalid(at instant: Int64) -> (position: Position, certificate: Certificate)? {
        // Spelled out: this runs for every signed object.
        if !leaf.isValid(at: instant) { return (.leaf, leaf) }
        if !intermediate.isValid(at: instant) { return (.intermediate, intermediate) }
        if !root.isValid(at: instant) { return (.root, root) }
        return nil
    }
}
