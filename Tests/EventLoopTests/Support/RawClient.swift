import Dispatch
import Glibc

/// A client that sends exactly the bytes it is told to. Waits on a thread of its own, two minutes at most.
final class RawClient: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")
    // Touched on the queue only.
    nonisolated(unsafe) private var received: [UInt8] = []

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SocketFailure(errno: errno) }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw SocketFailure(errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes, or fewer if the server has hung up.
    func send(_ bytes: [UInt8]) async {
        await onQueue {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Sends a few bytes at once, also while the client waits for an answer.
    func sendAside(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Reads one response with its body. Throws if the connection ends before it is complete.
    func response(toHead: Bool = false) async throws -> RawResponse {
        try await onQueue {
            while true {
                if let (response, length) = RawResponse.parse(self.received, toHead: toHead) {
                    self.received.removeFirst(length)
                    return response
                }
                guard self.readMore() else { throw SocketFailure(errno: errno) }
            }
        }
    }

    /// Reads until the server hangs up; what it sent, or nil if it had not hung up after ten seconds.
    func rest() async -> String? {
        await onQueue {
            errno = 0
            while self.readMore() {}
            return errno == EAGAIN ? nil : String(decoding: self.received, as: UTF8.self)
        }
    }

    /// Ends our half of the connection.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the kernel reset the connection when it is closed.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count > 0 { received.append(contentsOf: chunk[..<count]) }
        return count > 0
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

/// A response as it came over the wire.
struct RawResponse: Sendable {
    let status: Int
    let headers: [String: String]
    let body: String

    /// The first response in `bytes` and its length, if it is complete.
    static func parse(_ bytes: [UInt8], toHead: Bool = false) -> (RawResponse, Int)? {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return nil }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let headLength = end + 4
        let hasBody = !toHead && status >= 200 && status != 204 && status != 304
        let bodyLength = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        guard bytes.count >= headLength + bodyLength else { return nil }
        let body = String(decoding: bytes[headLength..<headLength + bodyLength], as: UTF8.self)
        return (RawResponse(status: status, headers: headers, body: body), headLength + bodyLength)
    }
}
