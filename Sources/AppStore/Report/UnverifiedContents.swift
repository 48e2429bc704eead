public import Entitlements
public import Signatures

/// What can be read in a signed object **without believing any of it**: for people who want to know why it is refused.
public struct UnverifiedContents: Sendable {
    /// The payload, if it can be read.
    public let payload: JSONObject?
    /// The certificates in the header that can be read, leaf first.
    public let certificates: [Certificate]
    /// What it seems to be.
    public let kind: SignedDataKind?

    /// Reads what can be read of the text.
    public init(_ text: String) {
        let limits = SignedDataLimits()
        let opened = try? OpenedJWS(text, limits: limits)
        payload = opened?.object
        kind = payload.map(Self.guess)
        guard let header = try? opened?.jws.header(), header.count <= limits.headerBytes,
            let texts = try? JSONValue(parsing: header).objectValue?["x5c"]?.arrayValue
        else {
            certificates = []
            return
        }
        certificates = texts.prefix(3).compactMap { text in
            text.stringValue.flatMap { Base64.decode($0.utf8) }.flatMap { try? Certificate(der: $0) }
        }
    }

    /// Old and minimal payloads lack the fields that tell: renewal info is what names no app.
    private static func guess(_ payload: JSONObject) -> SignedDataKind {
        SignedDataKind.recognized(in: payload) ?? (payload["bundleId"] == nil ? .renewalInfo : .transaction)
    }
}
