package import EntitledClient
package import Entitlements
package import Foundation
import Signatures
import Synchronization

/// A service in the process: most polls end without news after fifty seconds of its clock; now and then there is news, an
/// answer to be refused, or none at all.
package final class PlayedService: Transport {
    package static let bundleId = "com.example.app"
    package static let account = AccountID(UUID())
    package static let installation = UUID()

    private struct State {
        var answered = 0
        var version: Int64 = 1
        var watchers: [(after: Int, continuation: CheckedContinuation<Footprint, Never>)] = []
    }

    private let state = Mutex(State())
    private let key: Ed25519PrivateKey
    private let clock: LeapingClock
    private let polls: Int

    package init(clock: LeapingClock, polls: Int) throws {
        key = try Ed25519PrivateKey()
        self.clock = clock
        self.polls = polls
    }

    /// The key that signs, in base64url.
    var publicKey: String { Base64URL.encode(key.publicKey.rawBytes) }

    /// A client of this service. Without an installation's id it makes and keeps one.
    package func configuration(directory: String, installation: UUID?) throws -> ClientConfiguration {
        guard let address = URL(string: "https://entitled.example.com") else {
            throw BenchmarkError("the service has no address")
        }
        var configuration = ClientConfiguration(
            service: address, bundleId: Self.bundleId, account: Self.account,
            pinnedKeys: try PinnedKeys(key: publicKey),
            storageDirectory: URL(filePath: directory), token: { "token" })
        configuration.installation = installation
        configuration.clock = clock
        configuration.transport = self
        return configuration
    }

    /// What the process holds when so many polls have been answered.
    package func footprint(after count: Int) async -> Footprint {
        await withCheckedContinuation { continuation in
            state.withLock { $0.watchers.append((count, continuation)) }
        }
    }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = state.withLock { state in
            state.answered += 1
            return state.answered
        }
        let due = state.withLock { state in
            let due = state.watchers.filter { $0.after <= number }
            state.watchers.removeAll { $0.after <= number }
            return due.map(\.continuation)
        }
        if !due.isEmpty {
            let footprint = Footprint.now()
            for continuation in due { continuation.resume(returning: footprint) }
        }
        clock.advance(by: 50_000)
        // After the last one the client is held until it stops.
        guard number <= polls else {
            try await Task.sleep(for: .seconds(3600))
            throw CancellationError()
        }
        return switch number % 100 {
        case 40: throw CancellationError()
        case 70: TransportResponse(status: 502, headers: ["content-type": "text/html"])
        case 90:
            TransportResponse(status: 200, headers: ["content-type": "application/jose"], body: Array("a.b.c".utf8))
        case 1, 50: try news(for: request)
        default: TransportResponse(status: 204, headers: ["entitlement-cursor": "c\(number)"])
        }
    }

    private func news(for request: TransportRequest) throws -> TransportResponse {
        let version = state.withLock { state in
            state.version += 1
            return state.version
        }
        let now = clock.wall
        let text = """
            {"snapshot":{"bundleId":"\(Self.bundleId)","environment":"Production","account":"\(Self.account)",\
            "version":\(version),"asOf":\(now),"nextChangeAt":null,"entitlements":[{"id":"pro","isActive":true,\
            "state":"active","productId":"pro.m","purchaseDate":\(now),"willRenew":true,"transactionId":"1",\
            "sources":["1"],"activeIntervals":[[\(now),\(now + 30 * Time.day)]],"endIsFinal":false}],\
            "balances":{"coins":\(version)},"needsReconciliation":false,\
            "offline":{"graceMs":259200000,"staleAccess":"keep"}},"cursor":"n\(version)","serverTime":\(now),\
            "epoch":1,"activation":1,"installation":"\(request.headers["Entitlement-Installation"] ?? "")"}
            """
        let header = #"{"alg":"EdDSA","kid":"k1","typ":"entitled-snapshot+jwt"}"#
        let jws = try CompactJWS.sign(header: Array(header.utf8), payload: Array(text.utf8), by: key)
        return TransportResponse(
            status: 200, headers: ["content-type": "application/jose"], body: Array(jws.utf8))
    }
}
