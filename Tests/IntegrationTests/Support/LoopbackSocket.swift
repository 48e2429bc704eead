import Foundation

/// A TCP socket on the loopback address, closed when it goes.
final class LoopbackSocket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    private static func make() -> LoopbackSocket {
        LoopbackSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    }

    private static let addressLength = socklen_t(MemoryLayout<sockaddr_in>.size)

    /// Listens on a port that the system chooses.
    static func listening() throws -> (socket: LoopbackSocket, port: Int) {
        let made = make()
        var address = address(port: 0)
        var length = addressLength
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(made.descriptor, $0, length) == 0 && listen(made.descriptor, 64) == 0
                    && getsockname(made.descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return (made, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects; nil when nobody listens there.
    static func connected(to port: Int) -> LoopbackSocket? {
        let made = make()
        var address = address(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(made.descriptor, $0, addressLength)
            }
        }
        return status == 0 ? made : nil
    }

    /// The next connection; nil when the socket is shut down.
    func accepted() -> LoopbackSocket? {
        let connection = accept(descriptor, nil, nil)
        return connection < 0 ? nil : LoopbackSocket(connection)
    }

    /// What has come; empty at the end, or when the other side is gone.
    func receive() -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk[..<count]) : []
    }

    /// False when the other side is gone.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var left = Array(bytes)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// Says that nothing more comes from here.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends what waits on the socket.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits until one of two can be read, at most so long: which.
    static func readable(_ first: LoopbackSocket, _ second: LoopbackSocket, milliseconds: Int32) -> (Bool, Bool) {
        var set = [first, second].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&set, 2, milliseconds) > 0 else { return (false, false) }
        return (set[0].revents != 0, set[1].revents != 0)
    }
}
