import Entitlements
import Signatures
import Testing

@testable import Service

@Suite struct TokenTests {
    private let now: Milliseconds = 1_782_900_000_000
    private let account = "a1a1a1a1-0000-4000-8000-00000000000a"

    private func device(_ account: String? = nil, for time: Milliseconds = 3_600_000) throws -> AccessToken {
        try AccessToken(subject: account ?? self.account, app: "com.example.app", scope: .device, expires: now + time)
    }

    private func signed(
        _ claims: JSONValue, header: JSONObject = [:], by signer: some JWSSigner, kid: String
    ) throws -> String {
        var all: JSONObject = ["alg": .string(signer.algorithm), "kid": .string(kid)]
        for member in header.members { all[member.name] = member.value }
        return try CompactJWS.sign(
            header: Array(JSONValue.object(all).text.utf8), payload: Array(claims.text.utf8), by: signer)
    }

    @Test func issuedTokensAreBelieved() throws {
        let keys = try ServiceKeys.generate(at: now)
        let token = try device(account.uppercased())
        let text = try TokenIssuer(keys).issue(token, at: now)
        let read = try TokenVerifier(keys).verify(text, at: now)
        #expect(read == token)
        #expect(read.subject == account)
    }

    @Test func retiredKeysStillVerifyAndRemovedOnesDoNot() throws {
        var keys = try ServiceKeys.generate(at: now)
        let text = try TokenIssuer(keys).issue(device(), at: now)
        let old = try #require(keys.current?.kid)
        try keys.addSigningKey(at: now)
        _ = try TokenVerifier(keys).verify(text, at: now)
        try keys.remove(kid: old)
        #expect(throws: TokenRefusal.unknownKey) { try TokenVerifier(keys).verify(text, at: now) }
    }

    @Test func endIsWithinTheSkew() throws {
        let keys = try ServiceKeys.generate(at: now)
        let text = try TokenIssuer(keys).issue(device(for: 1000), at: now)
        let verifier = TokenVerifier(keys)
        _ = try verifier.verify(text, at: now + 1000 + 29_999)
        #expect(throws: TokenRefusal.expired) { try verifier.verify(text, at: now + 1000 + 30_000) }
        #expect(throws: TokenRefusal.notYet) { try verifier.verify(text, at: now - 30_001) }
    }

    @Test func rememberedTokensEndToo() throws {
        let keys = try ServiceKeys.generate(at: now)
        let cache = TokenCache(TokenVerifier(keys), capacity: 4)
        let texts = try (1...9).map { try TokenIssuer(keys).issue(device(for: $0 * 60_000), at: now) }
        for text in texts + texts { _ = try cache.verify(text, at: now) }
        #expect(throws: TokenRefusal.expired) { try cache.verify(texts[8], at: now + 10 * 60_000) }
    }

    @Test func everyOtherTextIsRefused() throws {
        let keys = try ServiceKeys.generate(at: now)
        let key = try #require(keys.current)
        let verifier = TokenVerifier(keys)
        let claims: JSONValue = [
            "sub": .string(account), "app": "com.example.app", "scope": "device", "exp": .integer(now / 1000 + 60),
        ]
        let good = try signed(claims, by: key.privateKey, kid: key.kid)
        _ = try verifier.verify(good, at: now)

        for text in ["", "a", "a.b", "a.b.c", "....", good + ".", good.dropLast(8) + "AAAAAAAA", "\u{1F511}.e.e"] {
            #expect(throws: TokenRefusal.self, "\(text)") { try verifier.verify(String(text), at: now) }
        }
        let parts = good.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none","kid":"\#(key.kid)"}"#.utf8))
        #expect(throws: TokenRefusal.unknownKey) {
            try verifier.verify("\(none).\(parts[1]).\(parts[2])", at: now)
        }
        for header: JSONObject in [["alg": "HS256"], ["alg": "ES256"], ["kid": "other"]] {
            let text = try signed(claims, header: header, by: key.privateKey, kid: key.kid)
            #expect(throws: TokenRefusal.unknownKey) { try verifier.verify(text, at: now) }
        }
        for header: JSONObject in [["typ": "entitled-snapshot+jwt"], ["crit": ["b64"]]] {
            let text = try signed(claims, header: header, by: key.privateKey, kid: key.kid)
            #expect(throws: TokenRefusal.malformed) { try verifier.verify(text, at: now) }
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"sub":"x","app":"b","scope":"device","exp":1782900060}"#,
        #"{"sub":"00000000-0000-0000-0000-000000000000","app":"b","scope":"device","exp":1782900060}"#,
        #"{"sub":"a1a1a1a1-0000-4000-8000-00000000000a","app":"*","scope":"device","exp":1782900060}"#,
        #"{"sub":"x","app":"*","scope":"backend","exp":1782900060}"#,
        #"{"sub":"x","app":"b","scope":"root","exp":1782900060}"#, #"{"sub":"x","app":"b","scope":"admin"}"#,
        #"{"sub":"x","app":"b","scope":"admin","exp":"1782900060"}"#,
        #"{"sub":"x","app":"b","scope":"admin","exp":-1}"#, #"{"sub":"x","app":"b","scope":"admin","exp":1e99}"#,
        #"{"sub":"x","app":"b","scope":"admin","exp":1782900060,"nbf":"soon"}"#,
        #"{"sub":"","app":"b","scope":"admin","exp":1782900060}"#,
        #"{"app":"b","scope":"admin","exp":1782900060}"#,
    ])
    func claimsMustHaveSense(claims: String) throws {
        let keys = try ServiceKeys.generate(at: now)
        let key = try #require(keys.current)
        let text = try signed(JSONValue(parsing: claims), by: key.privateKey, kid: key.kid)
        #expect(throws: TokenRefusal.claims) { try TokenVerifier(keys).verify(text, at: now) }
    }

    @Test func foreignIssuersAreHeldToTheirLimits() throws {
        let owner = try ECPrivateKey(generating: .p256)
        let pem = try "-----BEGIN PUBLIC KEY-----\n\(Base64.encode(owner.publicKey.der()))\n-----END PUBLIC KEY-----\n"
        let own = try JSONValue(parsing: ServiceKeys.generate(at: now).json())
        var file = try #require(own.objectValue)
        file["verificationKeys"] = [["kid": "backend-1", "app": "com.example.app", "publicKey": .string(pem)]]
        let keys = try ServiceKeys(json: Array(JSONValue.object(file).text.utf8))
        #expect(try ServiceKeys(json: keys.json()).verification.first?.scopes == [.device])

        func claims(_ scope: String, _ app: String) -> JSONValue {
            ["sub": .string(account), "app": .string(app), "scope": .string(scope), "exp": .integer(now / 1000 + 60)]
        }
        let verifier = TokenVerifier(keys)
        let good = try signed(claims("device", "com.example.app"), by: owner, kid: "backend-1")
        #expect(try verifier.verify(good, at: now).scope == .device)
        for (scope, app) in [("admin", "com.example.app"), ("device", "com.example.other")] {
            let text = try signed(claims(scope, app), by: owner, kid: "backend-1")
            #expect(throws: TokenRefusal.issuer) { try verifier.verify(text, at: now) }
        }
    }

    @Test(arguments: [("45s", 45_000), ("30m", 1_800_000), ("1h", 3_600_000), ("7d", 604_800_000)])
    func lifetimes(text: String, time: Milliseconds) {
        #expect(Lifetime.parse(text) == time)
    }

    @Test(arguments: ["", "h", "1", "-1h", "0s", "1.5h", "1w", "99999d", "1h ", "٣h"])
    func lifetimesWithoutSense(text: String) {
        #expect(Lifetime.parse(text) == nil)
    }
}
