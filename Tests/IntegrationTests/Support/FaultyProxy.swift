import Foundation
import Synchronization

/// Stands between clients and a service on loopback: the same port for the clients wherever the service is, and a bad
/// network when wanted. Each connection has a thread; all end with the proxy.
final class FaultyProxy: Sendable {
    /// What goes wrong with a request.
    enum Fault: CaseIterable, Sendable {
        /// It is swallowed and the connection closed.
        case lost
        /// It is done, and the answer is lost.
        case answerLost
        /// It is done, and the answer is cut off.
        case truncated
        /// It arrives late.
        case delayed
        /// Half of it arrives, then nothing more.
        case halfSent
        /// It arrives twice, on two connections.
        case repeated
        /// Somebody else answers in the service's place: a login page, a redirect, noise, …
        case page, redirect, noise, emptiness, foreignJSON, foreignJWS, busy
    }

    private struct State {
        var upstream: Int?
        var isFaulty = false
        var random: SplitMix
        /// Faults to come: every kind comes before one comes again.
        var deck: [Fault] = []
        var met: Set<Fault> = []
        /// Connections of an older generation are cut.
        var generation = 0
    }

    let port: Int
    private let listener: LoopbackSocket
    private let state: Mutex<State>

    /// One request in so many meets a fault.
    private static let rarity: UInt64 = 4
    /// How long a thread waits before it looks whether it is still wanted.
    private static let tick: Int32 = 50

    init(to upstream: Int?, seed: UInt64 = 0) throws {
        (listener, port) = try LoopbackSocket.listening()
        state = Mutex(State(upstream: upstream, random: SplitMix(seed: seed)))
        Thread.detachNewThread { [listener, weak self] in
            while let client = listener.accepted() {
                guard let proxy = self else { return }
                Thread.detachNewThread { [weak proxy] in proxy?.serve(client) }
            }
        }
    }

    deinit { listener.shutDown() }

    /// Where the service is now; nil: nowhere. All connections are cut.
    func lead(to upstream: Int?) {
        state.withLock { state in
            state.upstream = upstream
            state.generation += 1
        }
    }

    /// Ends everything.
    func end() {
        lead(to: nil)
        listener.shutDown()
    }

    /// A bad network begins or ends.
    func setFaulty(_ isFaulty: Bool) { state.withLock { $0.isFaulty = isFaulty } }

    /// The kinds of faults that have happened.
    var met: Set<Fault> { state.withLock { $0.met } }

    private func nextFault() -> Fault? {
        state.withLock { state in
            guard state.isFaulty, state.random.next() % Self.rarity == 0 else { return nil }
            if state.deck.isEmpty { state.deck = Fault.allCases.shuffled(using: &state.random) }
            let fault = state.deck.removeLast()
            state.met.insert(fault)
            return fault
        }
    }

    private func number(below bound: UInt64) -> Int { state.withLock { Int($0.random.next() % bound) } }

    private func serve(_ client: LoopbackSocket) {
        let (upstream, generation) = state.withLock { ($0.upstream, $0.generation) }
        guard let upstream, let server = LoopbackSocket.connected(to: upstream) else { return }
        /// Bytes of answers until the connection is cut.
        var left = Int.max
        while state.withLock({ $0.generation }) == generation {
            let (hasRequest, hasAnswer) = LoopbackSocket.readable(client, server, milliseconds: Self.tick)
            if hasAnswer {
                let answer = server.receive()
                guard !answer.isEmpty, client.send(answer.prefix(left)), left > answer.count else { return }
            }
            if hasRequest {
                let request = client.receive()
                guard !request.isEmpty else { return }
                guard forward(request, client, server, upstream, &left) else { return }
            }
        }
    }

    /// Whether the connection goes on.
    private func forward(
        _ request: [UInt8], _ client: LoopbackSocket, _ server: LoopbackSocket, _ upstream: Int, _ left: inout Int
    ) -> Bool {
        let fault = nextFault()
        switch fault {
        case nil: return server.send(request)
        case .lost: return false
        case .answerLost:
            left = 0
            return server.send(request)
        case .truncated:
            left = 1 + number(below: 400)
            return server.send(request)
        case .delayed:
            usleep(UInt32(20_000 + number(below: 400_000)))
            return server.send(request)
        case .halfSent:
            server.send(request.prefix(request.count / 2))
            server.endSending()
            return true
        case .repeated:
            let other = LoopbackSocket.connected(to: upstream)
            other?.send(request)
            // The other answer is waited for, or the service would take the client for gone.
            if let other { _ = LoopbackSocket.readable(other, other, milliseconds: 500) }
            return server.send(request)
        case .page, .redirect, .noise, .emptiness, .foreignJSON, .foreignJWS, .busy:
            client.send(foreignAnswer(fault))
            return false
        }
    }

    private func foreignAnswer(_ fault: Fault?) -> [UInt8] {
        func http(_ status: String, _ type: String, _ body: String) -> [UInt8] {
            Array(
                "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        }
        return switch fault {
        case .page: http("200 OK", "text/html", "<html>Please sign in to the hotel's network</html>")
        case .redirect:
            Array("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/login\r\nContent-Length: 0\r\n\r\n".utf8)
        case .emptiness: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
        case .foreignJSON: http("200 OK", "application/json", #"{"results":[],"status":"ok"}"#)
        case .foreignJWS: http("200 OK", "application/jose", "eyJhbGciOiJub25lIn0.e30.")
        case .busy: http("502 Bad Gateway", "text/html", "<html>Bad Gateway</html>")
        default: (0..<64).map { _ in UInt8(number(below: 256)) }
        }
    }
}

/// A small generator with a seed, so that a run can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
