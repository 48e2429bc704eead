import Entitlements
import Foundation
import Signatures
import Testing

@testable import Service

@Suite struct KeyTests {
    private let now: Milliseconds = 1_782_900_000_000

    @Test func writtenKeysReadBackAreTheSame() throws {
        var keys = try ServiceKeys.generate(at: now)
        try keys.addSigningKey(at: now + 1)
        let read = try ServiceKeys(json: keys.json())
        #expect(read.signing.map(\.kid) == keys.signing.map(\.kid))
        #expect(read.signing.map(\.status) == [.active, .retired])
        #expect(read.cursor == keys.cursor)
        #expect(read.jwks == keys.jwks)
    }

    @Test func publishedKeysHoldNothingSecret() throws {
        let keys = try ServiceKeys.generate(at: now)
        let key = try #require(keys.jwks.objectValue?["keys"]?.arrayValue?.first?.objectValue)
        #expect(Set(key.names) == ["kty", "crv", "use", "alg", "kid", "x"])
        #expect(
            key["x"]?.stringValue.flatMap { Base64URL.decode(Array($0.utf8)) }
                == keys.current?.privateKey.publicKey.rawBytes)
    }

    @Test func oldCursorKeyStaysForOneChange() throws {
        var keys = try ServiceKeys.generate(at: now)
        let first = keys.cursor
        try keys.addCursorKey(at: now)
        #expect(keys.cursor.count == 2 && keys.cursor.last == first.first)
        try keys.addCursorKey(at: now)
        #expect(keys.cursor.count == 2 && !keys.cursor.contains(first[0]))
    }

    @Test func theSigningKeyCannotBeRemoved() throws {
        var keys = try ServiceKeys.generate(at: now)
        let active = try #require(keys.current?.kid)
        #expect(throws: ServiceError.self) { try keys.remove(kid: active) }
        try keys.addSigningKey(at: now)
        try keys.remove(kid: active)
        #expect(keys.signing.count == 1)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"signingKeys":[]}"#, #"{"signingKeys":{}}"#, #"{"signingKeys":[1]}"#,
        #"{"signingKeys":[{"status":"active","privateKey":"no"}],"cursorKeys":[]}"#,
        #"{"verificationKeys":[{"kid":"a","publicKey":"x"}]}"#, #"{"cursorKeys":[{"id":300,"secret":"AA"}]}"#,
    ])
    func damagedKeyFilesAreRefused(text: String) {
        #expect(throws: ServiceError.self) { try ServiceKeys(json: Array(text.utf8)) }
    }

    @Test func twoActiveKeysAreRefused() throws {
        var keys = try ServiceKeys.generate(at: now)
        try keys.addSigningKey(at: now)
        keys.signing[1].status = .active
        #expect(throws: ServiceError.self) { try ServiceKeys(json: keys.json()) }
    }

    @Test func keyFileIsPrivate() throws {
        let path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = KeyFile(path: path)
        #expect(!file.exists)
        #expect(throws: ServiceError.self) { try file.read() }
        try file.write(try ServiceKeys.generate(at: now))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        _ = try file.read()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect { try file.read() } throws: { ($0 as? ServiceError)?.message.contains("chmod 600") == true }
    }
}
