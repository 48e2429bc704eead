import CLibevent
import Glibc

/// A numeric address and port in the kernel's form.
struct ListenAddress {
    private var storage: sockaddr_storage
    private let length: socklen_t

    init(address: String, port: Int) throws(EventLoopError) {
        guard let port = UInt16(exactly: port) else {
            throw EventLoopError(code: .addressUnusable, message: "port \(port) is not between 0 and 65535")
        }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let found, let first = found.pointee.ai_addr
        else {
            throw EventLoopError(
                code: .addressUnusable,
                message: "\(address) is not a numeric IPv4 or IPv6 address; give one to listen on")
        }
        defer { freeaddrinfo(found) }
        let length = found.pointee.ai_addrlen
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: first, count: Int(length)))
        }
        self.storage = storage
        self.length = length
    }

    /// A listener on this address whose port several loops may share. The caller owns it.
    func makeOwnedListener(base: OpaquePointer, backlog: Int) throws(EventLoopError) -> OpaquePointer {
        let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE | LEV_OPT_REUSEABLE_PORT
        let listener = withSocketAddress { address in
            evconnlistener_new_bind(base, nil, nil, flags, Int32(clamping: backlog), address, Int32(length))
        }
        guard let listener else { throw unusable(errno) }
        setOptions(evconnlistener_get_fd(listener))
        return listener
    }

    /// Throws if somebody listens here already. Without this a second server would silently share the port.
    func checkThatNobodyListens() throws(EventLoopError) {
        let probe = socket(Int32(storage.ss_family), Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { throw unusable(errno) }
        defer { close(probe) }
        setOption(probe, SOL_SOCKET, SO_REUSEADDR, 1)
        guard withSocketAddress({ bind(probe, $0, length) }) == 0 else { throw unusable(errno) }
    }

    /// Accepted sockets inherit these from the listening one, which saves system calls for each connection.
    private func setOptions(_ descriptor: Int32) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // A phone that vanished is noticed after about 45 + 20 seconds (engineering advice on long polls).
        setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 45)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 20_000)
    }

    private func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func withSocketAddress<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
        var storage = storage
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private func unusable(_ code: Int32) -> EventLoopError {
        EventLoopError(
            code: .addressUnusable,
            message: "cannot listen: \(String(cString: strerror(code))); choose another address or port")
    }

    /// The port a socket is bound to.
    static func boundPort(_ descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            // IPv4 and IPv6 addresses have the port at the same place.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}
