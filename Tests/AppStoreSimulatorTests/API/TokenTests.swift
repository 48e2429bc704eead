import AppStoreSimulator
import Entitlements
import Testing

@Suite struct APITokenTests {
    @Test func onlyAGoodTokenIsAnswered() async throws {
        try await withSimulator { fixture in
            let path = "/inApps/v1/transactions/1"
            let good = try await fixture.send("GET", path, token: fixture.token())
            #expect(good.status == 404 && good.errorCode == 4_040_010)
            // As Apple's libraries make it.
            let plain = try fixture.token { _, claims in claims["iat"] = nil }
            #expect(try await fixture.send("GET", path, token: plain).status == 404)
            let other = try ServerAPIKey()
            let now = MachineTime.seconds
            let wrong: [String: String] = [
                "another key": try fixture.token(key: other),
                "another kid": try fixture.token { header, _ in header["kid"] = "ABCDEFGHIJ" },
                "another issuer": try fixture.token { _, claims in claims["iss"] = "me" },
                "another audience": try fixture.token { _, claims in claims["aud"] = "x" },
                "another app": try fixture.token { _, claims in claims["bid"] = "com.example.other" },
                "too long": try fixture.token { _, claims in claims["exp"] = .integer(now + 4000) },
                "over": try fixture.token { _, claims in
                    claims["iat"] = .integer(now - 600)
                    claims["exp"] = .integer(now - 100)
                },
                "no end": try fixture.token { _, claims in claims["exp"] = nil },
                "no token": "x",
            ]
            for (what, token) in wrong {
                let answer = try await fixture.send("GET", path, token: token)
                #expect(answer.status == 401 && answer.body.isEmpty, "\(what)")
            }
            #expect(try await fixture.send("GET", path).status == 401)
        }
    }
}
