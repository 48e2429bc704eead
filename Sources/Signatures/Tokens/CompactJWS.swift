/// A compact JWS (RFC 7515 section 7.1), split but not judged: three parts of base64url between two dots.
public struct CompactJWS: Hashable, Sendable {
    /// Everything, as it came.
    public let text: [UInt8]
    private let firstDot: Int
    private let secondDot: Int

    /// Splits the text. Throws `token` unless it has exactly three parts, none of them empty.
    public init(_ text: some Collection<UInt8>) throws(SignatureError) {
        let text = Array(text)
        let dot = UInt8(ascii: ".")
        let first = ByteSearch.firstIndex(of: dot, in: text)
        let second = first.flatMap { ByteSearch.firstIndex(of: dot, in: text, from: $0 + 1) }
        guard let first, let second, ByteSearch.firstIndex(of: dot, in: text, from: second + 1) == nil else {
            throw SignatureError(.token, "a signed object has three parts between two dots")
        }
        guard first > 0, second > first + 1, second < text.count - 1 else {
            throw SignatureError(.token, "a part of the signed object is empty")
        }
        self.text = text
        firstDot = first
        secondDot = second
    }

    /// The base64url text of the header.
    public var headerText: ArraySlice<UInt8> { text[..<firstDot] }
    /// The base64url text of the payload.
    public var payloadText: ArraySlice<UInt8> { text[(firstDot + 1)..<secondDot] }
    /// The base64url text of the signature.
    public var signatureText: ArraySlice<UInt8> { text[(secondDot + 1)...] }
    /// What the signature is of: header and payload with the dot between.
    public var signingInput: ArraySlice<UInt8> { text[..<secondDot] }

    /// The decoded header. Throws `encoding`.
    public func header() throws(SignatureError) -> [UInt8] {
        try Self.decoded(headerText, "header")
    }

    /// The decoded payload. Throws `encoding`.
    public func payload() throws(SignatureError) -> [UInt8] {
        try Self.decoded(payloadText, "payload")
    }

    /// The decoded signature. Throws `encoding`.
    public func signature() throws(SignatureError) -> [UInt8] {
        try Self.decoded(signatureText, "signature")
    }

    private static func decoded(_ text: ArraySlice<UInt8>, _ part: String) throws(SignatureError) -> [UInt8] {
        guard let bytes = Base64URL.decode(text) else {
            throw SignatureError(.encoding, "the \(part) is not base64url (RFC 7515: no padding, no white space)")
        }
        return bytes
    }

    /// Signs a payload under a header that names the signer's algorithm.
    public static func sign(
        header: [UInt8], payload: [UInt8], by signer: some JWSSigner
    ) throws(SignatureError) -> String {
        try sign(encodedHeader: Base64URL.encode(header), payload: payload, by: signer)
    }

    /// The same with a header that is base64url already: whoever signs much under one header encodes it once.
    public static func sign(
        encodedHeader: String, payload: [UInt8], by signer: some JWSSigner
    ) throws(SignatureError) -> String {
        let input = encodedHeader + "." + Base64URL.encode(payload)
        return try input + "." + Base64URL.encode(signer.signature(for: input.utf8))
    }
}
