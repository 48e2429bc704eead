import Entitlements
import Signatures
import Testing

@testable import EntitledClient

@Suite struct SnapshotStoreTests {
    let world: World

    init() throws { world = try World() }

    func verify(_ signed: SignedText) throws -> SignedSnapshot {
        try SignedSnapshot(verifying: world.sign(signed), keys: world.keys, binding: world.binding())
    }

    @Test func aGenuineSnapshotIsRead() throws {
        let signed = try verify(SignedText(version: 12, epoch: 2, activation: 3))
        #expect(signed.position == ViewPosition(epoch: 2, activation: 3, version: 12, asOf: World.now))
        #expect(signed.snapshot["pro"]?.productId == "pro.y")
        #expect(signed.snapshot.balances == ["coins": 120])
        #expect(signed.cursor == "c1")
    }

    @Test(arguments: [
        SignedText(header: #"{"alg":"EdDSA","kid":"k2","typ":"entitled-snapshot+jwt"}"#),
        SignedText(header: #"{"alg":"EdDSA","kid":"k1","typ":"JWT"}"#),
        SignedText(header: #"{"alg":"EdDSA","kid":"k1"}"#),
        SignedText(header: #"{"alg":"none","kid":"k1","typ":"entitled-snapshot+jwt"}"#),
        SignedText(header: #"{"alg":"EdDSA","typ":"entitled-snapshot+jwt"}"#),
        SignedText(header: #"{"alg":"EdDSA","kid":"k1","typ":"entitled-snapshot+jwt","crit":["b64"],"b64":false}"#),
        SignedText(bundleId: "com.example.other"), SignedText(environment: "Sandbox"),
        SignedText(account: World.otherAccount), SignedText(installation: "99999999-2222-4333-8444-555555555555"),
        SignedText(serverTime: 0), SignedText(cursor: ""),
    ])
    func aSnapshotForAnybodyElseIsRefused(_ signed: SignedText) {
        #expect { try verify(signed) } throws: { ($0 as? ClientError)?.code == .unverified }
    }

    @Test func aNewKeyIsBelievedOnlyOnceItIsPinned() throws {
        let next = try Ed25519PrivateKey()
        let header = #"{"alg":"EdDSA","kid":"k2","typ":"entitled-snapshot+jwt"}"#
        let text = try CompactJWS.sign(header: Array(header.utf8), payload: Array(SignedText().payload.utf8), by: next)
        #expect(throws: ClientError.self) {
            try SignedSnapshot(verifying: text, keys: world.keys, binding: world.binding())
        }
        let both = try PinnedKeys([
            "k1": Base64URL.encode(world.key.publicKey.rawBytes), "k2": Base64URL.encode(next.publicKey.rawBytes),
        ])
        _ = try SignedSnapshot(verifying: text, keys: both, binding: world.binding())
        _ = try SignedSnapshot(verifying: world.sign(SignedText()), keys: both, binding: world.binding())
        // A key speaks under its own kid only.
        let swapped = try PinnedKeys(["k1": Base64URL.encode(next.publicKey.rawBytes)])
        #expect(throws: ClientError.self) {
            try SignedSnapshot(verifying: text, keys: swapped, binding: world.binding())
        }
    }

    @Test func keysAreReadFromAJWKSDocument() throws {
        let key = Base64URL.encode(world.key.publicKey.rawBytes)
        let jwks = #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"\#(key)"},{"kty":"EC","crv":"P-256"}]}"#
        _ = try SignedSnapshot(
            verifying: world.sign(SignedText()), keys: PinnedKeys(jwks: Array(jwks.utf8)), binding: world.binding())
        #expect(throws: ClientError.self) { try PinnedKeys(jwks: Array("[]".utf8)) }
        #expect(throws: ClientError.self) { try PinnedKeys(key: "AAAA") }
    }

    func saved() throws -> SnapshotStore {
        let store = SnapshotStore(accountDirectory: try world.accountDirectory())
        let signed = try verify(SignedText())
        try store.save(signed, clock: KeptClock(serverTime: signed.serverTime, by: world.clock))
        return store
    }

    func load(_ store: SnapshotStore, account: String = World.account) throws -> SnapshotStore.Loaded {
        store.load(keys: try world.keys, binding: try world.binding(account: account), clock: world.clock)
    }

    @Test func everyChangedByteOfTheSnapshotMakesItUnknown() throws {
        let store = try saved()
        let genuine = try #require(try load(store).kept?.snapshot.snapshot)
        let path = try world.file("snapshot.jws")
        let whole = try read(path)
        for index in whole.indices {
            var changed = whole
            changed[index] ^= [0x01, 0x20, 0x80][index % 3]
            try write(changed, path)
            // The very same verdict or none: never another one.
            let loaded = try load(store)
            #expect(loaded.kept == nil || loaded.kept?.snapshot.snapshot == genuine, "byte \(index)")
            #expect(loaded.kept != nil || loaded.refusals.map(\.0) == [.cacheRefused], "byte \(index)")
        }
    }

    @Test func aCutOrForeignFileIsUnknownAndReported() throws {
        let store = try saved()
        let path = try world.file("snapshot.jws")
        let whole = try read(path)
        for length in 0..<whole.count {
            try write(Array(whole.prefix(length)), path)
            let loaded = try load(store)
            #expect(loaded.kept == nil)
            #expect(loaded.refusals.count == 1)
        }
        try write(whole, path)
        #expect(try load(store).kept != nil)
        #expect(try load(store, account: World.otherAccount).kept == nil)
    }

    /// The file of the clock is not signed. It can make the trusted time later, but never earlier than what was signed.
    @Test func aChangedClockFileNeverMakesTheTimeEarlier() throws {
        let store = try saved()
        world.clock.advance(by: 3_600_000)
        let path = try world.file("clock.json")
        let whole = try read(path)
        for index in whole.indices {
            for mask: UInt8 in [0x01, 0x04, 0x80] {
                var changed = whole
                changed[index] ^= mask
                try write(changed, path)
                let kept = try #require(try load(store).kept)
                #expect(kept.clock.trusted.now >= World.now, "byte \(index)")
            }
        }
    }

    @Test func withoutAClockFileTheWallClockIsTakenAtItsWord() throws {
        let store = try saved()
        try Files.remove(world.file("clock.json"))
        world.clock.advance(by: 5_000)
        var loaded = try load(store)
        #expect(loaded.kept?.clock.trusted.now == World.now + 5_000)
        #expect(loaded.refusals.map(\.0) == [.clockFileRefused])
        world.clock.setWall(World.now - 1)
        loaded = try load(store)
        #expect(loaded.kept?.clock.trusted.now == World.now)
        #expect(loaded.kept?.clock.trusted.isRolledBack == true)
    }

    @Test func theOrderOfViewsIsEpochActivationVersionTime() throws {
        let base = try verify(SignedText(version: 5, epoch: 2, activation: 2))
        #expect(try verify(SignedText(version: 6, epoch: 2, activation: 2)).replaces(base))
        #expect(try verify(SignedText(version: 1, epoch: 3, activation: 0)).replaces(base))
        #expect(try verify(SignedText(version: 1, epoch: 2, activation: 3)).replaces(base))
        #expect(try verify(SignedText(version: 5, epoch: 2, activation: 2, serverTime: World.now + 1)).replaces(base))
        #expect(try !verify(SignedText(version: 9, epoch: 1, activation: 9)).replaces(base))
        #expect(try !verify(SignedText(version: 9, epoch: 2, activation: 1)).replaces(base))
        #expect(try !verify(SignedText(version: 4, epoch: 2, activation: 2, serverTime: World.now + 1)).replaces(base))
        #expect(!base.replaces(base))
    }
}
