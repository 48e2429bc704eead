import Entitlements

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP connection. It blocks the thread that uses it, at most until its deadline; `shutDown` from another thread ends what
/// it waits for. Every call throws `network`.
final class ClientSocket: Sendable {
    private let descriptor: Int32
    private let deadline: ContinuousClock.Instant

    /// The first address of a host does not keep the others waiting longer than this.
    private static let patience = Duration.seconds(5)

    private init(_ descriptor: Int32, until deadline: ContinuousClock.Instant) {
        self.descriptor = descriptor
        self.deadline = deadline
    }

    deinit { close(descriptor) }

    /// Connects to one of a host's addresses. `opened` is told each socket before it waits.
    static func connected(
        to host: String, port: Int, until deadline: ContinuousClock.Instant, opened: (ClientSocket) throws -> Void
    ) throws -> ClientSocket {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamType
        var ownedList: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &ownedList) == 0 else { throw failure("no such host") }
        defer { freeaddrinfo(ownedList) }
        var next = ownedList
        while let address = next?.pointee {
            next = address.ai_next
            let socket = ClientSocket(socket(address.ai_family, streamType, 0), until: deadline)
            guard socket.descriptor >= 0 else { continue }
            socket.prepare()
            try opened(socket)
            let end = next == nil ? deadline : min(deadline, .now + patience)
            if socket.connect(address, until: end) { return socket }
        }
        throw failure("the service is not there")
    }

    private func prepare() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    private func connect(_ address: addrinfo, until end: ContinuousClock.Instant) -> Bool {
        #if canImport(Glibc)
            let status = Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen)
        #elseif canImport(Musl)
            let status = Musl.connect(descriptor, address.ai_addr, address.ai_addrlen)
        #else
            let status = Darwin.connect(descriptor, address.ai_addr, address.ai_addrlen)
        #endif
        if status == 0 { return true }
        guard errno == EINPROGRESS, wait(for: Int16(POLLOUT), until: end) else { return false }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0
    }

    /// Whether it came to that before the time was over.
    private func wait(for events: Int16, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = end - .now
            guard left > .zero else { return false }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let count = poll(&entry, 1, Int32(clamping: milliseconds + 1))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Sends everything.
    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.send(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, withoutSignal)
                #elseif canImport(Musl)
                    Musl.send(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, withoutSignal)
                #else
                    Darwin.send(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, withoutSignal)
                #endif
            }
            if count > 0 {
                done += count
            } else {
                try goOn(after: errno, when: Int16(POLLOUT))
            }
        }
    }

    /// What has come; empty at the end.
    func receive() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count >= 0 { return Array(chunk[..<count]) }
            try goOn(after: errno, when: Int16(POLLIN))
        }
    }

    private func goOn(after error: Int32, when events: Int16) throws {
        switch error {
        case EINTR: return
        case EAGAIN where wait(for: events, until: deadline): return
        case EAGAIN: throw Self.failure("the service did not answer in time")
        default: throw Self.failure("the connection was lost")
        }
    }

    /// Ends what waits on it, in whatever thread.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func failure(_ why: String) -> ClientError { ClientError(.network, why) }
}

#if canImport(Glibc)
    private let streamType = Int32(SOCK_STREAM.rawValue)
#else
    private let streamType = SOCK_STREAM
#endif

#if canImport(Darwin)
    private let withoutSignal: Int32 = 0
#else
    private let withoutSignal = Int32(MSG_NOSIGNAL)
#endif
