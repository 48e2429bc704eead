import COpenSSL

/// What a new certificate shall say; ``issued(for:by:)`` signs it. For local signing authorities.
public struct CertificateTemplate: Sendable {
    /// Who issues: a certificate and the private key that belongs to it.
    public struct Issuer: Sendable {
        /// The issuer's certificate.
        public let certificate: Certificate
        /// Its private key.
        public let key: ECPrivateKey

        /// An issuer of both parts.
        public init(certificate: Certificate, key: ECPrivateKey) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The subject's common name.
    public var commonName: String
    /// The subject's organisation.
    public var organization: String
    /// Milliseconds since 1970 UTC; certificates hold whole seconds, so this is cut to them.
    public var notBefore: Int64
    /// Milliseconds since 1970 UTC; cut to whole seconds.
    public var notAfter: Int64
    /// How many certificates may stand below an authority; nil for a leaf, which may issue nothing.
    public var pathLength: Int?
    /// Object identifiers of extensions that only have to be there (their value is NULL, as in Apple's certificates).
    public var markers: [String]

    /// A template of all its parts.
    public init(
        commonName: String, organization: String, notBefore: Int64, notAfter: Int64, pathLength: Int? = nil,
        markers: [String] = []
    ) {
        self.commonName = commonName
        self.organization = organization
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.pathLength = pathLength
        self.markers = markers
    }

    /// A self-signed root. Throws `library`.
    public func selfSigned(by key: ECPrivateKey) throws(SignatureError) -> Certificate {
        try make(subjectKey: key.publicKey, issuer: nil, signingKey: key)
    }

    /// A certificate for the key, signed by the issuer. Throws `library`.
    public func issued(for key: ECPublicKey, by issuer: Issuer) throws(SignatureError) -> Certificate {
        try make(subjectKey: key, issuer: issuer.certificate, signingKey: issuer.key)
    }

    private func make(
        subjectKey: ECPublicKey, issuer: Certificate?, signingKey: ECPrivateKey
    ) throws(SignatureError) -> Certificate {
        let serial = try randomBytes(8)
        let draft = try OpenSSL.attempt(.library, "out of memory") { X509_new() }
        defer { X509_free(draft) }
        try OpenSSL.require(.library, "the certificate's fields cannot be set") {
            let names = setNames(of: draft, issuer: issuer)
            let fields = setSerial(serial, of: draft) && setDates(of: draft)
            return names && fields && X509_set_pubkey(draft, subjectKey.key.pointer) == 1 ? 1 : 0
        }
        try OpenSSL.require(.library, "the certificate's extensions cannot be set") {
            addExtensions(to: draft, issuer: issuer) ? 1 : 0
        }
        let der = try OpenSSL.attempt(.library, "the certificate cannot be signed") { () -> [UInt8]? in
            guard X509_sign(draft, signingKey.key.pointer, signingKey.curve.digest.pointer) > 0 else { return nil }
            return OpenSSL.der { i2d_X509(draft, $0) }
        }
        return try Certificate(der: der)
    }

    private func setNames(of draft: OpaquePointer, issuer: Certificate?) -> Bool {
        guard X509_set_version(draft, 2) == 1, let subject = X509_get_subject_name(draft) else { return false }
        for (field, value) in [("CN", commonName), ("O", organization), ("C", "US")] {
            let length = Int32(value.utf8.count)
            guard X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8, value, length, -1, 0) == 1 else {
                return false
            }
        }
        let issuerName = issuer.map { X509_get_subject_name($0.handle.pointer) } ?? subject
        return X509_set_issuer_name(draft, issuerName) == 1
    }

    private func setSerial(_ bytes: [UInt8], of draft: OpaquePointer) -> Bool {
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(draft)) != nil
    }

    private func setDates(of draft: OpaquePointer) -> Bool {
        ASN1_TIME_set(X509_getm_notBefore(draft), Int(notBefore / 1000)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(draft), Int(notAfter / 1000)) != nil
    }

    private func addExtensions(to draft: OpaquePointer, issuer: Certificate?) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer?.handle.pointer ?? draft, draft, nil, nil, 0)
        func add(_ identifier: Int32, _ value: String) -> Bool {
            guard let item = X509V3_EXT_conf_nid(nil, &context, identifier, value) else { return false }
            defer { X509_EXTENSION_free(item) }
            return X509_add_ext(draft, item, -1) == 1
        }
        let constraints = pathLength.map { "critical,CA:TRUE,pathlen:\($0)" } ?? "critical,CA:FALSE"
        let usage = pathLength == nil ? "critical,digitalSignature" : "critical,keyCertSign,cRLSign"
        // Key identifiers are wanted by verifiers that set OpenSSL's strict flags; the authority's is copied from the
        // issuer, so a root adds its own identifier first.
        return add(NID_basic_constraints, constraints) && add(NID_key_usage, usage)
            && add(NID_subject_key_identifier, "hash") && add(NID_authority_key_identifier, "keyid:always")
            && markers.allSatisfy { addMarker($0, to: draft) }
    }

    private func addMarker(_ identifier: String, to draft: OpaquePointer) -> Bool {
        guard let object = OBJ_txt2obj(identifier, 1), let value = ASN1_OCTET_STRING_new() else { return false }
        defer {
            ASN1_OBJECT_free(object)
            ASN1_OCTET_STRING_free(value)
        }
        // DER for NULL.
        guard ASN1_OCTET_STRING_set(value, [0x05, 0x00], 2) == 1,
            let item = X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
        else { return false }
        defer { X509_EXTENSION_free(item) }
        return X509_add_ext(draft, item, -1) == 1
    }
}
