import Entitlements
import Foundation

/// Where a request goes, and its bytes.
struct RequestTarget {
    let host: String
    let port: Int
    let isSecure: Bool
    /// The whole request as HTTP/1.1 (RFC 9112).
    let bytes: [UInt8]

    /// Throws `invalidInput` when the address or a header cannot be sent.
    init(_ request: TransportRequest) throws(ClientError) {
        guard let components = URLComponents(string: request.url), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let name = components.host, !name.isEmpty
        else { throw ClientError(.invalidInput, "the service's address is no http or https URL") }
        isSecure = scheme == "https"
        port = components.port ?? (isSecure ? 443 : 80)
        // An IPv6 address is in brackets in a URL, and only there.
        host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        let authority = (host.contains(":") ? "[\(host)]" : host) + (components.port.map { ":\($0)" } ?? "")
        let path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        let query = components.percentEncodedQuery.map { "?\($0)" } ?? ""

        var lines = ["\(request.method) \(path)\(query) HTTP/1.1", "Host: \(authority)"]
        lines += request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if let body = request.body { lines.append("Content-Length: \(body.count)") }
        // A token with a line end in it would be a header of its own.
        guard lines.allSatisfy({ $0.utf8.allSatisfy { $0 >= 32 && $0 < 127 } }) else {
            throw ClientError(
                .invalidInput, "a header of the request, like the token, has a character it must not have")
        }
        bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (request.body ?? [])
    }
}
