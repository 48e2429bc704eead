import AppStore
import AppStoreSimulator
import Entitlements
import Signatures
import Testing

/// Whatever a stranger may send is answered with a refusal that says what is malformed.
@Suite struct MalformedTests {
    private let authority: Authority
    private let parts: [String]

    init() throws {
        authority = try Authority()
        parts = try authority.signing.sign(Authority.transaction).split(separator: ".").map(String.init)
    }

    private func judge(_ text: String) -> Refusal? {
        authority.verifier.verify(text, as: .transaction, for: Authority.app, now: Authority.now).refusal
    }

    private func judge(payload: [UInt8]) throws -> Refusal? {
        try judge(authority.signing.sign(payload))
    }

    private func judge(header: JSONObject) throws -> Refusal? {
        try judge(authority.signing.sign(Array(JSONValue.object(Authority.transaction).text.utf8), header: header))
    }

    private func chain() -> [JSONValue] {
        [authority.signing.leaf, authority.signing.intermediate, authority.signing.root].map {
            .string(Base64.encode($0.der))
        }
    }

    @Test func notThreeParts() throws {
        #expect(judge("")?.code == .notThreeParts)
        #expect(judge(parts[0])?.code == .notThreeParts)
        #expect(judge("\(parts[0]).\(parts[1])")?.code == .notThreeParts)
        #expect(judge(parts.joined(separator: ".") + ".")?.code == .notThreeParts)
        #expect(judge(parts.joined(separator: ".") + ".e30")?.code == .notThreeParts)
        #expect(judge("{\"signedPayload\":\"\"}")?.code == .notThreeParts)
    }

    @Test func base64url() throws {
        let whole = parts.joined(separator: ".")
        #expect(judge(whole + "\n")?.code == .notBase64URL)
        #expect(judge(" " + whole)?.code == .notBase64URL)
        #expect(judge(whole + "==")?.code == .notBase64URL)
        #expect(judge("\(parts[0]).\(parts[1])=.\(parts[2])")?.code == .notBase64URL)
        #expect(judge("\(parts[0]).*\(parts[1]).\(parts[2])")?.code == .notBase64URL)
        #expect(judge("\(parts[0]).\u{e9}\(parts[1]).\(parts[2])")?.code == .notBase64URL)
        #expect(judge("\(parts[0])+.\(parts[1]).\(parts[2])")?.check == .header)
        // 64 bytes leave four unused bits in the last letter; an encoder writes them as zero.
        let last = try #require(parts[2].last)
        #expect(["A", "Q", "g", "w"].contains(last))
        #expect(judge(String(whole.dropLast()) + "B")?.code == .notBase64URL)
    }

    @Test func truncatedAnywhere() throws {
        let whole = parts.joined(separator: ".")
        for length in stride(from: 0, to: whole.utf8.count, by: 97) {
            #expect(judge(String(whole.prefix(length))) != nil)
        }
        #expect(judge(String(whole.dropLast(2)))?.code == .signatureLength)
    }

    @Test func payloads() throws {
        #expect(try judge(payload: Array("not JSON".utf8))?.check == .payload)
        #expect(try judge(payload: Array("[]".utf8))?.code == .notJSON)
        #expect(try judge(payload: Array(#"{"a":1}{"#.utf8))?.code == .notJSON)
        #expect(try judge(payload: Array(#"{"a":1,"a":2}"#.utf8))?.code == .notJSON)
        #expect(try judge(payload: Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))?.code == .notJSON)
        let deep = #"{"a":"# + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"
        #expect(try judge(payload: Array(deep.utf8))?.code == .notJSON)
        #expect(try judge(payload: Array("null".utf8))?.reason == "malformed")
    }

    @Test func algorithms() throws {
        for algorithm: JSONValue in ["none", "HS256", "es256", "ES384", "RS256", "", 5, .null] {
            let refusal = try judge(header: ["alg": algorithm, "x5c": .array(chain())])
            #expect(refusal?.code == .algorithmNotES256, "\(algorithm)")
        }
        #expect(try judge(header: ["x5c": .array(chain())])?.code == .algorithmNotES256)
        let unsigned = Base64URL.encode(#"{"alg":"none"}"#.utf8)
        #expect(judge("\(unsigned).\(parts[1]).\(parts[2])") != nil)
    }

    @Test func headers() throws {
        #expect(try judge(header: ["alg": "ES256"])?.code == .chainMissing)
        #expect(try judge(header: ["alg": "ES256", "x5c": .null])?.code == .chainMissing)
        #expect(try judge(header: ["alg": "ES256", "x5c": "text"])?.code == .fieldType)
        #expect(try judge(header: ["alg": "ES256", "x5c": [1, 2, 3]])?.code == .fieldType)
        #expect(try judge(header: ["alg": "ES256", "x5c": []])?.code == .chainLength)
        #expect(try judge(header: ["alg": "ES256", "x5c": .array(Array(chain().prefix(2)))])?.code == .chainLength)
        #expect(try judge(header: ["alg": "ES256", "x5c": .array(chain() + chain())])?.code == .chainLength)
        #expect(judge("\(Base64URL.encode("[1]".utf8)).\(parts[1]).\(parts[2])")?.check == .header)
        #expect(judge("\(Base64URL.encode([0xFF])).\(parts[1]).\(parts[2])")?.check == .header)
    }

    @Test func certificates() throws {
        let chain = chain()
        func judge(_ first: JSONValue) throws -> Refusal? {
            try self.judge(header: ["alg": "ES256", "x5c": [first, chain[1], chain[2]]])
        }
        #expect(try judge("abc")?.code == .certificateNotBase64)
        #expect(try judge("YWJj")?.code == .certificateNotDER)
        #expect(try judge("YWJj")?.certificate == .leaf)
        #expect(try judge(.string(String(repeating: "A", count: 8196)))?.code == .tooLong)
        #expect(try judge(chain[1])?.check == .chain)
    }

    @Test func theThirdCertificateIsIgnored() throws {
        let chain = chain()
        #expect(try judge(header: ["alg": "ES256", "x5c": [chain[0], chain[1], "rubbish"]]) == nil)
    }

    @Test func sizes() throws {
        let long = Authority.transaction.with("padding", .string(String(repeating: "x", count: 300_000)))
        #expect(try judge(authority.signing.sign(long))?.code == .tooLong)
        let header: JSONObject = [
            "alg": "ES256", "x5c": .array(chain()), "padding": .string(String(repeating: "x", count: 40_000)),
        ]
        #expect(try judge(header: header)?.code == .tooLong)
    }

    /// No input makes the verifier accept what was not signed, or crash.
    @Test func randomlyDamagedTextIsRefused() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(state: seed)
        let whole = Array(parts.joined(separator: ".").utf8)
        for _ in 0..<300 {
            var text = whole
            let index = Int.random(in: 0..<text.count, using: &generator)
            let byte = UInt8.random(in: 0..<128, using: &generator)
            guard text[index] != byte else { continue }
            text[index] = byte
            // Only the third certificate, which is ignored, is not covered by a check; the signature still covers it.
            #expect(judge(String(decoding: text, as: UTF8.self)) != nil, "seed \(seed), byte \(index)")
        }
    }
}
