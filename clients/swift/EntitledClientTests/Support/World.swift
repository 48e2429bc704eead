import Entitlements
import Foundation
import Signatures
import Testing

@testable import EntitledClient

/// What the tests share: a service's key, snapshots signed by it, a directory and a client over both fakes.
final class World: Sendable {
    static let account = "a1a1a1a1-0000-4000-8000-000000000001"
    static let otherAccount = "a2a2a2a2-0000-4000-8000-000000000002"
    static let installation = "11111111-2222-4333-8444-555555555555"
    static let now: Milliseconds = 1_780_000_000_000

    let key: Ed25519PrivateKey
    let directory: URL
    let clock = ManualClock(wall: World.now)
    let transport = ScriptedTransport()

    init() throws {
        key = try Ed25519PrivateKey()
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("entitled-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var keys: PinnedKeys { get throws { try PinnedKeys(["k1": Base64URL.encode(key.publicKey.rawBytes)]) } }

    func binding(account: String = World.account) throws -> SnapshotBinding {
        SnapshotBinding(
            bundleId: "com.example.reader", environment: .production, account: try #require(AccountID(account)),
            installation: Self.installation)
    }

    func configuration(
        account: String = World.account, token: @escaping TokenProvider = { "token-1" }
    ) throws -> ClientConfiguration {
        var configuration = ClientConfiguration(
            service: try #require(URL(string: "https://entitled.example.com/")), bundleId: "com.example.reader",
            account: try #require(AccountID(account)), pinnedKeys: try keys, storageDirectory: directory, token: token)
        configuration.installation = UUID(uuidString: Self.installation)
        configuration.clock = clock
        configuration.transport = transport
        return configuration
    }

    func client(account: String = World.account) throws -> EntitledClient {
        try EntitledClient(configuration: configuration(account: account))
    }

    /// The path of a file of the client, whoever is signed in.
    func sharedFile(_ name: String) throws -> String {
        try Files.makeDirectory(directory.path)
        return directory.path + "/" + name
    }

    /// The path of a file in the account's directory.
    func file(_ name: String, account: String = World.account) throws -> String {
        let folder = StorageLayout(directory).accountDirectory(
            bundleId: "com.example.reader", environment: .production, account: try #require(AccountID(account)))
        try Files.makeDirectory(folder)
        return folder + "/" + name
    }

    func accountDirectory() throws -> String { String(try file("").dropLast()) }

    func sign(_ signed: SignedText) throws -> String {
        try CompactJWS.sign(header: Array(signed.header.utf8), payload: Array(signed.payload.utf8), by: key)
    }

    /// A 200 with that snapshot.
    func answer(_ signed: SignedText, headers: [String: String] = [:]) throws -> TransportResponse {
        TransportResponse(
            status: 200, headers: ["content-type": "application/jose"].merging(headers) { $1 },
            body: Array(try sign(signed).utf8))
    }

    /// Starts a client and answers its first question.
    func liveClient(_ signed: SignedText = SignedText()) async throws -> EntitledClient {
        let client = try client()
        await client.start()
        await transport.nextPoll().answer(try answer(signed))
        return client
    }
}

/// A signed snapshot of one entitlement, before it is signed.
struct SignedText: CustomTestStringConvertible {
    var header = #"{"alg":"EdDSA","kid":"k1","typ":"entitled-snapshot+jwt"}"#
    var bundleId = "com.example.reader"
    var environment = "Production"
    var account = World.account
    var installation = World.installation
    var version = 1
    var epoch = 1
    var activation = 1
    var serverTime = World.now
    /// Nil: the account has no entitlement.
    var end: Milliseconds? = World.now + 30 * Time.day
    /// Several intervals, in the place of the one that ends at `end`.
    var intervals: [Interval]?
    var willRenew: Bool? = false
    var endIsFinal = false
    var productId = "pro.y"
    var purchaseDate = World.now - Time.day
    var staleAccess = "keep"
    var coins = 120
    var grace = 3 * Time.day
    var cursor = "c1"

    var testDescription: String { "\(header) \(payload.prefix(160))" }

    var payload: String {
        let intervals = intervals ?? end.map { [Interval(World.now - Time.day, $0)] } ?? []
        let isActive = intervals.contains { $0.contains(serverTime) }
        let pairs = intervals.map { "[\($0.start),\($0.end == Interval.forever ? "null" : "\($0.end)")]" }
        let entry =
            intervals.isEmpty
            ? nil
            : """
            {"id":"pro","isActive":\(isActive),"state":"\(isActive ? "active" : "expired")",\
            "productId":"\(productId)","purchaseDate":\(purchaseDate),\
            "willRenew":\(willRenew.map(String.init) ?? "null"),"transactionId":"1","sources":["1"],\
            "activeIntervals":[\(pairs.joined(separator: ","))],"endIsFinal":\(endIsFinal),"later":{}}
            """
        return """
            {"snapshot":{"bundleId":"\(bundleId)","environment":"\(environment)","account":"\(account)",\
            "version":\(version),"asOf":\(serverTime),"nextChangeAt":null,"entitlements":[\(entry ?? "")],\
            "balances":{"coins":\(coins)},"needsReconciliation":false,\
            "offline":{"graceMs":\(grace),"staleAccess":"\(staleAccess)"}},"cursor":"\(cursor)","serverTime":\(serverTime),\
            "epoch":\(epoch),"activation":\(activation),"installation":"\(installation)"}
            """
    }
}

extension AsyncStream.Iterator {
    /// The next element; a stream of a client does not end by itself.
    mutating func take() async throws -> Element {
        let element = await next()
        return try #require(element)
    }
}

func problem(_ status: Int, _ code: String = "x", headers: [String: String] = [:]) -> TransportResponse {
    TransportResponse(
        status: status, headers: ["content-type": "application/problem+json"].merging(headers) { $1 },
        body: Array(#"{"code":"\#(code)","detail":"no"}"#.utf8))
}

func unchanged(_ cursor: String, headers: [String: String] = [:]) -> TransportResponse {
    TransportResponse(status: 204, headers: ["entitlement-cursor": cursor].merging(headers) { $1 })
}

func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func write(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
