import AppStore
import Entitlements
import Signatures
import Testing

@Suite struct ServerAPITokenTests {
    @Test func tokenSaysWhatAppleAsksForAndIsSignedByTheKey() throws {
        let key = try ECPrivateKey(generating: .p256)
        var mint = try ServerAPITokenMint(key: ServerAPISample.key(key), bundleId: "com.example.app")
        let token = try CompactJWS(mint.token(at: Authority.now).utf8)
        #expect(key.publicKey.isValid(signature: try token.signature(), for: token.signingInput))
        #expect(try token.signature().count == 64)
        let header = try JSONValue(parsing: token.header()).objectValue
        #expect(header?["alg"] == "ES256")
        #expect(header?["kid"] == "ABC1234567")
        #expect(header?["typ"] == "JWT")
        let payload = try #require(try JSONValue(parsing: token.payload()).objectValue)
        #expect(payload["aud"] == "appstoreconnect-v1")
        #expect(payload["bid"] == "com.example.app")
        #expect(payload["iss"] == "57246542-96fe-1a63-e053-0824d011072a")
        let issued = try #require(payload["iat"]?.integerValue)
        let expires = try #require(payload["exp"]?.integerValue)
        #expect(issued <= Authority.now / 1000)
        #expect(expires > Authority.now / 1000)
        #expect(expires - issued <= 3600)
    }

    @Test func tokenIsKeptWhileItIsGoodAndRenewedBeforeItEnds() throws {
        var mint = try ServerAPITokenMint(
            key: ServerAPISample.key(ECPrivateKey(generating: .p256)), bundleId: "com.example.app")
        let first = try mint.token(at: Authority.now)
        #expect(try mint.token(at: Authority.now + 10 * 60_000) == first)
        let later = try mint.token(at: Authority.now + 18 * 60_000)
        #expect(later != first)
        // A clock set back by an hour: the kept one would be of the future.
        #expect(try mint.token(at: Authority.now - 3_600_000) != later)
        let kept = try mint.token(at: Authority.now - 3_600_000)
        mint.discard()
        #expect(try mint.token(at: Authority.now - 3_600_000) != kept)
    }

    @Test func keyOfAnotherCurveIsRefused() throws {
        let pem = try ECPrivateKey(generating: .p384).pem()
        #expect(throws: ServerAPIError.self) { try InAppPurchaseKey(keyId: "A", issuerId: "B", pem: pem) }
    }
}
