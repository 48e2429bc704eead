import Entitlements
import EventLoop
import Signatures

/// A file that the binary carries and the service serves as it is.
struct Page: Sendable {
    let name: String
    let body: [UInt8]
    private let mediaType: String
    private let tag: String

    /// What a browser may do with a page of the console: load its own files, ask this service, nothing else.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
    ]

    init(name: String, text: String) {
        self.name = name
        // The line break before the closing quotes is no part of a literal; a file ends with one.
        body = Array((text + "\n").utf8)
        mediaType = Self.mediaTypes[name.split(separator: ".").last.map(String.init) ?? ""] ?? "text/plain"
        tag = "\"\(Hex.encode(SHA256.hash(body).bytes.prefix(12)))\""
    }

    /// Everything that is served as it is, by name.
    static let all = Dictionary(
        embedded.map { ($0.name, Page(name: $0.name, text: $0.text)) }, uniquingKeysWith: { first, _ in first })

    /// The page, or 304 for a browser that has it.
    func answer(to request: HTTPRequest) -> Answer {
        var headers = [
            HTTPResponse.Header("ETag", tag),
            // Kept, but asked for each time: a new release must not meet old scripts.
            HTTPResponse.Header("Cache-Control", "no-cache"),
        ]
        let known = request.headers["If-None-Match"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
        if known.contains(tag) || known.contains("*") {
            return Answer(HTTPResponse(status: 304, headers: headers))
        }
        headers += [
            HTTPResponse.Header("Content-Type", mediaType),
            HTTPResponse.Header("X-Content-Type-Options", "nosniff"),
            HTTPResponse.Header("Referrer-Policy", "no-referrer"),
            HTTPResponse.Header("Content-Security-Policy", Self.policy),
        ]
        return Answer(HTTPResponse(status: 200, headers: headers, body: body))
    }
}
