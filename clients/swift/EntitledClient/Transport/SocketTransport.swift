import Entitlements
import Foundation
import Signatures
import Synchronization

/// The way to the service over sockets of its own, with TLS for https. `URLSession` on Linux ends the whole process when an
/// answer is cut within its head, and never returns from some answers of captive portals: this one reads whatever comes.
///
/// Each request has a thread and a connection, which ends with it: a poll is held for most of a minute, so that keeping
/// connections would save little, and none is kept that has died meanwhile.
public final class SocketTransport: Transport {
    private let rootsFile: String?
    /// Made at the first https request: reading the authorities takes longer than the first answer from the cache may.
    private let trust = Mutex<TLSTrust?>(nil)

    /// - Parameter rootsFile: Certificate authorities in PEM that are believed instead of the machine's.
    public init(rootsFile: String? = nil) { self.rootsFile = rootsFile }

    /// Sends a request and waits for its whole answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let target = try RequestTarget(request)
        let exchange = Exchange()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                Thread.detachNewThread { exchange.end(Result { try self.perform(request, target, exchange) }) }
            }
        } onCancel: {
            exchange.giveUp()
        }
    }

    private func perform(
        _ request: TransportRequest, _ target: RequestTarget, _ exchange: Exchange
    ) throws -> TransportResponse {
        let deadline = ContinuousClock.now + .milliseconds(request.timeout)
        let socket = try ClientSocket.connected(
            to: target.host, port: target.port, until: deadline, opened: exchange.opened)
        let channel = try Channel(socket, tls: target.isSecure ? TLSSession(host: target.host, trust: trusted()) : nil)
        // A refusal may come before all is sent: then it is what counts.
        try? channel.send(target.bytes)
        var reader = AnswerReader(limit: request.answerLimit)
        while !reader.isComplete {
            let bytes = try channel.receive()
            guard !bytes.isEmpty else { break }
            try reader.take(bytes)
        }
        return try reader.finished()
    }

    private func trusted() throws -> TLSTrust {
        try trust.withLock { trust in
            if let trust { return trust }
            let made = try TLSTrust(rootsFile: rootsFile)
            trust = made
            return made
        }
    }
}

/// A connection with or without TLS.
private struct Channel {
    private let socket: ClientSocket
    private let tls: TLSSession?

    /// With TLS, returns when the server has proved its name.
    init(_ socket: ClientSocket, tls: TLSSession?) throws {
        self.socket = socket
        self.tls = tls
        guard let tls else { return }
        while true {
            let isComplete = try tls.handshake()
            try socket.send(tls.takeOutgoing())
            guard !isComplete else { return }
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { throw ClientError(.network, "the connection was lost") }
            tls.receive(bytes)
        }
    }

    func send(_ bytes: [UInt8]) throws {
        guard let tls else { return try socket.send(bytes) }
        try tls.send(bytes)
        try socket.send(tls.takeOutgoing())
    }

    /// What has come; empty at an end that the server meant.
    func receive() throws -> [UInt8] {
        guard let tls else { return try socket.receive() }
        while true {
            guard let plain = try tls.read() else { return [] }
            // The protocol's own replies, to new keys for example.
            try socket.send(tls.takeOutgoing())
            if !plain.isEmpty { return plain }
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { throw ClientError(.network, "the connection was cut") }
            tls.receive(bytes)
        }
    }
}

/// A request that is out: whoever ends it first, its thread or its caller, resumes the caller.
private final class Exchange: Sendable {
    private struct State {
        var isOver = false
        var continuation: CheckedContinuation<TransportResponse, any Error>?
        var socket: ClientSocket?
    }

    private let state = Mutex(State())

    /// False if it was given up before it began.
    func begin(_ continuation: CheckedContinuation<TransportResponse, any Error>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        return !isOver
    }

    /// Its thread uses this socket from now on.
    func opened(_ socket: ClientSocket) throws {
        let isOver = state.withLock { state in
            state.socket = socket
            return state.isOver
        }
        if isOver { throw CancellationError() }
    }

    func end(_ result: Result<TransportResponse, any Error>) { take().continuation?.resume(with: result) }

    /// The caller does not want it any more.
    func giveUp() {
        let taken = take()
        taken.continuation?.resume(throwing: CancellationError())
        taken.socket?.shutDown()
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = State(isOver: true) }
            return state
        }
    }
}
