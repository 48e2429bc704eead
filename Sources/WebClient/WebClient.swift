import Foundation

/// Asks servers over HTTP/1.1 and TLS, with libcurl: proxies of the environment (`https_proxy`, `no_proxy`), IPv6 and IPv4 in
/// a race, connections kept for the next request.
///
/// Redirects are not followed, cookies and passwords not sent. One thread, which starts with the first request and ends with
/// the client, serves all requests. A request on a kept connection that turns out to be dead is sent once more, so what is
/// sent must bear to arrive twice.
public final class WebClient: Sendable {
    /// How to reach servers.
    public struct Configuration: Sendable {
        /// Certificate authorities in PEM that are believed instead of the machine's.
        public var rootsFile: String?
        /// The proxy's address for everything but this machine; nil is what the environment says.
        public var proxy: String?
        /// More connections than this are not opened: requests wait, and their time runs.
        public var connectionLimit = 256

        /// The machine's authorities and proxies.
        public init() {}
    }

    let worker: TransferWorker

    /// A client. Connects to nobody yet. Throws `resourcesExhausted`.
    public init(_ configuration: Configuration = Configuration()) throws(WebError) {
        worker = try TransferWorker(configuration)
    }

    deinit { worker.stop() }

    /// Sends a request and waits for its whole answer. Throws `WebError`, and `CancellationError` as soon as the task is
    /// cancelled.
    public func send(_ request: WebRequest) async throws -> WebResponse {
        try Self.check(request)
        let id = worker.reserve()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { worker.submit(request, as: id, $0) }
        } onCancel: {
            worker.end(id, .failure(CancellationError()), isGivenUp: true)
        }
    }

    private static func check(_ request: WebRequest) throws(WebError) {
        guard let address = URLComponents(string: request.url), let scheme = address.scheme?.lowercased(),
            ["http", "https"].contains(scheme), address.host?.isEmpty == false
        else { throw WebError(.invalidRequest, "the address is no http or https URL") }
        // A token with a line end in it would be a header of its own.
        func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 < 127 } }
        guard isPlain(request.method), request.headers.allSatisfy({ isPlain($0.key) && isPlain($0.value) }),
            request.headers.keys.allSatisfy({ !$0.isEmpty && !$0.contains(":") && !$0.contains(";") })
        else {
            throw WebError(
                .invalidRequest, "a header of the request, like the token, has a character it must not have")
        }
    }
}
