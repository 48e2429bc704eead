import AppStore
import AppStoreSimulator
import Entitlements
import Signatures
import Testing

@Suite struct StoredJWSTests {
    @Test(arguments: Vector.all.filter { $0.verdict == "OK" }) func everyVectorComesBack(vector: Vector) throws {
        let (verifier, app) = try vector.setting
        let text = try vector.text()
        let data = try #require(verifier.verify(text, as: vector.kind, for: app, now: listTime).verified)
        try expectRoundTrip(data, text)
        if vector.kind == .notification, !data.inner.isEmpty {
            // 18.8 kB come down to less than a quarter, the header once apart.
            #expect(StoredJWS(data).payload.count * 4 < text.utf8.count)
        }
    }

    @Test func randomNotificationsComeBack() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(state: seed)
        let authorities = [try Authority(), try Authority()]
        let verifier = SignedDataVerifier(roots: authorities.map(\.root))
        for round in 0..<40 {
            let outer = authorities[0].signing
            let inner = authorities[Int.random(in: 0...1, using: &generator)].signing
            let length = Int.random(in: 0..<300, using: &generator)
            let noise = String((0..<length).compactMap { _ in "aé\"\\\u{1}\u{2}\n𝄞".randomElement(using: &generator) })
            let payload = try authorities[0].notification(
                renewalInfo: Authority.renewalInfo.with("noise", .string(noise)),
                data: [
                    "noise": .string(noise),
                    "signedTransactionInfo": .string(inner.sign(Authority.transaction.with("noise", .string(noise)))),
                ])
            let text = try outer.sign(payload)
            let verdict = verifier.verify(text, as: .notification, for: Authority.app, now: Authority.now)
            let data = try #require(verdict.verified, "seed \(seed), round \(round)")
            try expectRoundTrip(data, text)
        }
    }

    @Test func anInnerObjectWrittenWithEscapesComesBack() throws {
        let authority = try Authority()
        let inner = try authority.signing.sign(Authority.transaction)
        let escaped = "\\u0065" + inner.dropFirst()
        let payload = """
            {"notificationUUID":"u","data":{"bundleId":"com.example.app","environment":"Sandbox",\
            "signedTransactionInfo":"\(escaped)"}}
            """
        let text = try authority.signing.sign(Array(payload.utf8))
        let verdict = authority.verifier.verify(text, as: .notification, for: Authority.app, now: Authority.now)
        try expectRoundTrip(#require(verdict.verified), text)
    }

    @Test func damagedFormsGiveNothing() throws {
        let hash = SHA256.hash([])
        let cut = StoredJWS(headerHash: hash, payload: [0x7B, 0x01, 0x02, 1, 2, 3], signature: [1])
        #expect(cut.original { _ in [0x41] } == nil)
        let unknown = StoredJWS(headerHash: hash, payload: [0x7B, 0x01], signature: [1])
        #expect(unknown.original { _ in [0x41] } == nil)
        let whole = StoredJWS(headerHash: hash, payload: [0x7B, 0x01, 0x01, 0x7D], signature: [1])
        #expect(whole.original { _ in nil } == nil)
        #expect(whole.originalPayload { _ in [0x41] } == [0x7B, 0x41, 0x7D])
    }

    private func expectRoundTrip(_ data: VerifiedData, _ text: String) throws {
        let stored = StoredJWS(data)
        var headers = [data.headerHash: Array(data.jws.headerText)]
        for inner in data.inner { headers[inner.headerHash] = Array(inner.jws.headerText) }
        let back = StoredJWS(
            headerHash: stored.headerHash, payload: stored.payload, signature: stored.signature)
        #expect(back.original { headers[$0] } == text)
        #expect(back.originalPayload { headers[$0] } == data.payload)
    }
}

/// SplitMix64: repeatable from the seed that a failure prints.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
