import Signatures
import Testing

@Suite struct HashTests {
    @Test func sha256OfKnownText() {
        let digest = SHA256.hash("abc".utf8)
        #expect(digest.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.Digest(digest.bytes) == digest)
        #expect(SHA256.hash([]).description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func aStoredDigestOfAnotherLengthIsNone() {
        #expect(SHA256.Digest([1, 2, 3]) == nil)
        #expect(SHA256.Digest([UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test("RFC 4231, case 2") func hmac() {
        let code = HMACSHA256.authenticationCode(for: "what do ya want for nothing?".utf8, key: "Jefe".utf8)
        #expect(Hex.encode(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(HMACSHA256.isValid(code, for: "what do ya want for nothing?".utf8, key: "Jefe".utf8))
        #expect(!HMACSHA256.isValid(code.dropLast(), for: "what do ya want for nothing?".utf8, key: "Jefe".utf8))
        #expect(!HMACSHA256.isValid(code, for: "what do ya want for nothing!".utf8, key: "Jefe".utf8))
    }

    @Test func constantTimeComparison() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }

    @Test func randomBytesDiffer() throws {
        let first = try randomBytes(32)
        #expect(first.count == 32)
        #expect(try randomBytes(32) != first)
    }
}
