import Signatures
import Testing

@Suite struct CompactJWSTests {
    @Test("RFC 7515 appendix A.3") func es256Example() throws {
        let jws = try CompactJWS(
            """
            eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290\
            Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """.utf8)
        let key = try ECPublicKey(
            curve: .p256, x: #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8)),
            y: #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8)))
        #expect(try jws.header() == Array(#"{"alg":"ES256"}"#.utf8))
        #expect(try key.isValid(signature: jws.signature(), for: jws.signingInput))
    }

    @Test("RFC 8037 appendix A.4") func ed25519Example() throws {
        let jws = try CompactJWS(
            """
            eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhij\
            cNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
            """.utf8)
        let key = try Ed25519PublicKey(
            rawBytes: #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".utf8)))
        #expect(try jws.payload() == Array("Example of Ed25519 signing".utf8))
        #expect(try key.isValid(signature: jws.signature(), for: jws.signingInput))
    }

    @Test func signsWhatItChecks() throws {
        let key = try ECPrivateKey(generating: .p256)
        let text = try CompactJWS.sign(header: Array(#"{"alg":"ES256"}"#.utf8), payload: Array("{}".utf8), by: key)
        let jws = try CompactJWS(text.utf8)
        #expect(jws.text == Array(text.utf8))
        #expect(try jws.payload() == Array("{}".utf8))
        #expect(try key.publicKey.isValid(signature: jws.signature(), for: jws.signingInput))
    }

    @Test(arguments: ["", ".", "..", "a", "a.b", "a.b.", ".b.c", "a..c", "a.b.c.d", "a.b.c.", "...."])
    func notThreeParts(text: String) {
        #expect(code { try CompactJWS(text.utf8) } == .token)
    }

    @Test(arguments: ["!.YQ.YQ", "YQ.YQ==.YQ", "YQ.YQ.YR", "YQ\n.YQ.YQ"]) func partsMustBeBase64URL(text: String) throws
    {
        let jws = try CompactJWS(text.utf8)
        let codes = [code { try jws.header() }, code { try jws.payload() }, code { try jws.signature() }]
        #expect(codes.compactMap { $0 } == [.encoding])
    }
}
