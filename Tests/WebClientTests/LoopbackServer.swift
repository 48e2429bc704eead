import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server of a few lines on the loopback address, which need not speak proper HTTP.
final class LoopbackServer: Sendable {
    enum Reply: Sendable {
        /// These bytes, and the end.
        case bytes(String)
        /// These bytes to each request of the first connection; no other one is answered while it lives.
        case kept(String)
        /// Nothing, for ever.
        case silence
    }

    let port: UInt16
    private let descriptor: Int32
    private let requests = Mutex<[String]>([])

    init(_ reply: Reply) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            // Ends when the listening socket is shut down.
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                while case let request = Self.readHead(connection), !request.isEmpty {
                    self?.requests.withLock { $0.append(request) }
                    guard case .bytes(let text) = reply else {
                        guard case .kept(let text) = reply else { break }
                        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
                        continue
                    }
                    _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
                    break
                }
                if case .silence = reply { continue }
                close(connection)
            }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var seen: [String] { requests.withLock { $0 } }

    private static func readHead(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
