import COpenSSL
import Glibc

/// An X.509 certificate. Reading it says nothing about whether to trust it.
public struct Certificate: Sendable {
    let handle: CertificateHandle
    /// The bytes it was read from.
    public let der: [UInt8]
    /// SHA-256 of the DER bytes.
    public let fingerprint: SHA256.Digest
    /// The first instant of validity, in milliseconds since 1970 UTC.
    public let notBefore: Int64
    /// The end of validity, in milliseconds since 1970 UTC; the certificate is not valid at that instant, as in OpenSSL.
    public let notAfter: Int64

    /// Reads a DER certificate. Throws `certificate`, also when bytes are left over.
    public init(der: [UInt8]) throws(SignatureError) {
        let owned = try OpenSSL.attempt(.certificate, "not a DER certificate") {
            OpenSSL.parse(der, free: { X509_free($0) }, { d2i_X509(nil, $0, $1) })
        }
        handle = CertificateHandle(owning: owned)
        self.der = der
        fingerprint = SHA256.hash(der)
        notBefore = try Self.milliseconds(X509_get0_notBefore(owned))
        notAfter = try Self.milliseconds(X509_get0_notAfter(owned))
    }

    /// Reads a PEM block `CERTIFICATE`. Throws `encoding` or `certificate`.
    public init(pem: String) throws(SignatureError) {
        try self.init(der: PEM.decode(pem, label: "CERTIFICATE"))
    }

    /// The certificate as PEM.
    public var pem: String { PEM.encode(der, label: "CERTIFICATE") }

    /// Whether the instant, in milliseconds since 1970 UTC, lies in `[notBefore, notAfter)`.
    public func isValid(at instant: Int64) -> Bool {
        notBefore <= instant && instant < notAfter
    }

    /// The public key. Throws `key` unless it is on P-256 or P-384.
    public func publicKey() throws(SignatureError) -> ECPublicKey {
        let owned = try OpenSSL.attempt(.key, "the certificate's public key cannot be read") {
            X509_get_pubkey(handle.pointer)
        }
        return try ECPublicKey(KeyHandle(owning: owned))
    }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) throws(SignatureError) -> Int64 {
        var parts = tm()
        try OpenSSL.require(.certificate, "a validity date of the certificate cannot be read") {
            ASN1_TIME_to_tm(time, &parts)
        }
        return Int64(timegm(&parts)) * 1000
    }
}

extension Certificate: Hashable {
    /// Certificates are the same when their bytes are.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.fingerprint == right.fingerprint
    }

    /// By fingerprint.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }
}
