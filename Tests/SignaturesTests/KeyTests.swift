import Signatures
import Testing

@Suite struct KeyTests {
    @Test(arguments: [EllipticCurve.p256, .p384]) func ecSignatureIsValidForItsDataOnly(curve: EllipticCurve) throws {
        let key = try ECPrivateKey(generating: curve)
        let data = Array("what was signed".utf8)
        // Enough signatures that some halves begin with zero bytes or a first bit of one.
        for _ in 0..<300 {
            let signature = try key.signature(for: data)
            #expect(signature.count == 2 * curve.size)
            #expect(key.publicKey.isValid(signature: signature, for: data))
        }
        let signature = try key.signature(for: data)
        #expect(!key.publicKey.isValid(signature: signature, for: data + [0]))
        var changed = signature
        changed[7] ^= 1
        #expect(!key.publicKey.isValid(signature: changed, for: data))
        #expect(try !ECPrivateKey(generating: curve).publicKey.isValid(signature: signature, for: data))
    }

    @Test func ecSignatureOfAnotherLengthIsNotValid() throws {
        let key = try ECPrivateKey(generating: .p256)
        let data = Array("data".utf8)
        let signature = try key.signature(for: data)
        for wrong in [[], signature.dropLast(), signature + [0], [0] + signature, [UInt8](repeating: 0, count: 64)] {
            #expect(!key.publicKey.isValid(signature: wrong, for: data))
        }
    }

    @Test func ecKeysComeBackFromTheirForms() throws {
        let key = try ECPrivateKey(generating: .p256)
        let data = Array("data".utf8)
        let restored = try ECPrivateKey(pem: key.pem())
        let signature = try restored.signature(for: data)
        let point = try key.publicKey.coordinates()
        #expect(try ECPublicKey(der: key.publicKey.der()).isValid(signature: signature, for: data))
        #expect(try ECPublicKey(curve: .p256, x: point.x, y: point.y).isValid(signature: signature, for: data))
        #expect(throws: SignatureError.self) { try ECPublicKey(curve: .p256, x: point.x, y: point.x) }
        #expect(throws: SignatureError.self) { try ECPublicKey(curve: .p384, x: point.x, y: point.y) }
    }

    @Test func manyThreadsShareOneKey() async throws {
        let key = try ECPrivateKey(generating: .p256)
        let valid = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    try (0..<50).filter { round in
                        let data = Array("\(task) \(round)".utf8)
                        return try key.publicKey.isValid(signature: key.signature(for: data), for: data)
                    }.count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(valid == 400)
    }

    @Test func ed25519() throws {
        let key = try Ed25519PrivateKey()
        let data = Array("what was signed".utf8)
        let signature = try Ed25519PrivateKey(pem: key.pem()).signature(for: data)
        let publicKey = try Ed25519PublicKey(rawBytes: key.publicKey.rawBytes)
        #expect(publicKey.rawBytes.count == 32 && signature.count == 64)
        #expect(publicKey.isValid(signature: signature, for: data))
        #expect(!publicKey.isValid(signature: signature, for: data.dropLast()))
        #expect(!publicKey.isValid(signature: signature.dropLast(), for: data))
        #expect(throws: SignatureError.self) { try Ed25519PublicKey(rawBytes: [1, 2, 3]) }
    }

    @Test func aKeyOfAnotherKindIsRefused() throws {
        let curve = try ECPrivateKey(generating: .p256).pem()
        let edwards = try Ed25519PrivateKey().pem()
        #expect(code { try Ed25519PrivateKey(pem: curve) } == .key)
        #expect(code { try ECPrivateKey(pem: edwards) } == .key)
        #expect(code { try ECPrivateKey(pem: "") } == .encoding)
        #expect(code { try ECPrivateKey(pem: curve.replacing("A", with: "*")) } == .encoding)
        let broken = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        #expect(code { try ECPrivateKey(pem: broken) } == .key)
        #expect(code { try ECPublicKey(der: [0x30, 0x00]) } == .key)
    }
}

/// The code of what the body throws.
func code<Result>(_ body: () throws -> Result) -> SignatureError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? SignatureError)?.code
    }
}
