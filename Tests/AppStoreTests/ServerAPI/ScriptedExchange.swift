import AppStore
import Entitlements
import Signatures
import Synchronization

/// Answers requests by a script, and remembers them.
final class ScriptedExchange: HTTPExchange {
    typealias Script = @Sendable (OutgoingRequest) throws(ExchangeFailure) -> ReceivedAnswer

    private let script: Script
    private let sent = Mutex<[OutgoingRequest]>([])

    init(_ script: @escaping Script) { self.script = script }

    /// Always the same answer.
    convenience init(status: Int, body: JSONValue) {
        self.init { _ in ReceivedAnswer(status: status, body: Array(body.text.utf8)) }
    }

    var requests: [OutgoingRequest] { sent.withLock { $0 } }

    func send(_ request: OutgoingRequest) async throws(ExchangeFailure) -> ReceivedAnswer {
        sent.withLock { $0.append(request) }
        return try script(request)
    }
}

/// A clock that goes on by itself to whatever is waited for.
final class PatientPacer: Pacer {
    private let time: Mutex<Milliseconds>

    init(_ now: Milliseconds = Authority.now) { time = Mutex(now) }

    func now() -> Milliseconds { time.withLock { $0 } }

    func wait(until instant: Milliseconds) async throws(CancellationError) {
        time.withLock { $0 = max($0, instant) }
    }
}

/// Keys and clients of the tests.
enum ServerAPISample {
    static func key(_ privateKey: ECPrivateKey) throws -> InAppPurchaseKey {
        try InAppPurchaseKey(
            keyId: "ABC1234567", issuerId: "57246542-96fe-1a63-e053-0824d011072a", pem: privateKey.pem())
    }

    static func client(_ exchange: any HTTPExchange, pacer: any Pacer = PatientPacer()) throws -> ServerAPIClient {
        ServerAPIClient(
            key: try key(ECPrivateKey(generating: .p256)), bundleId: "com.example.app", exchange: exchange, pacer: pacer
        )
    }
}
