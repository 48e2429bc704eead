public import Signatures

/// A verified JWS as the log keeps it: without its certificates, which are most of its bytes and the same for months of
/// data. ``original(headers:)`` puts the exact text together again.
///
/// Base64url is stored decoded. That is exact because decoding is strict: what decodes is what the encoder writes.
public struct StoredJWS: Hashable, Sendable {
    /// Names the header; the text is kept once under it.
    public let headerHash: SHA256.Digest
    /// The payload, with a mark for each header of an object inside it.
    public let payload: [UInt8]
    /// The decoded signature.
    public let signature: [UInt8]

    /// A stored object read back.
    public init(headerHash: SHA256.Digest, payload: [UInt8], signature: [UInt8]) {
        self.headerHash = headerHash
        self.payload = payload
        self.signature = signature
    }

    /// The form to store.
    public init(_ data: VerifiedData) {
        headerHash = data.headerHash
        signature = data.signature
        payload = HeaderMarks.replaceHeaders(in: data.payload, of: data.inner, outer: data.headerHash)
    }

    /// The payload as it was signed; nil when a header is not there or the payload is not of this form.
    public func originalPayload(headers: (SHA256.Digest) -> [UInt8]?) -> [UInt8]? {
        HeaderMarks.restoreHeaders(in: payload, outer: headerHash, headers: headers)
    }

    /// The signed text, byte for byte; nil when a header is not there or the payload is not of this form.
    public func original(headers: (SHA256.Digest) -> [UInt8]?) -> String? {
        guard let header = headers(headerHash), let payload = originalPayload(headers: headers) else { return nil }
        return String(decoding: header, as: UTF8.self) + "." + Base64URL.encode(payload) + "."
            + Base64URL.encode(signature)
    }
}
