import Entitlements
import Synchronization
import WebClient

/// The way to the service with libcurl. `URLSession` on Linux ends the whole process when an answer is cut within its head,
/// and never returns from some answers of captive portals.
public final class WebTransport: Transport {
    private let rootsFile: String?
    /// Made at the first request: libcurl's start takes longer than the first answer from the cache may.
    private let client = Mutex<WebClient?>(nil)

    /// - Parameter rootsFile: Certificate authorities in PEM that are believed instead of the machine's.
    public init(rootsFile: String? = nil) { self.rootsFile = rootsFile }

    /// Sends a request and waits for its whole answer. Throws `invalidInput` and `network`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let question = WebRequest(
            method: request.method, url: request.url, headers: request.headers, body: request.body,
            timeout: .milliseconds(request.timeout), answerLimit: request.answerLimit)
        do {
            let answer = try await running().send(question)
            return TransportResponse(status: answer.status, headers: answer.headers, body: answer.body)
        } catch let error as WebError {
            throw ClientError(error.code == .invalidRequest ? .invalidInput : .network, error.message)
        }
    }

    private func running() throws(WebError) -> WebClient {
        try client.withLock { client throws(WebError) in
            if let client { return client }
            var configuration = WebClient.Configuration()
            configuration.rootsFile = rootsFile
            let made = try WebClient(configuration)
            client = made
            return made
        }
    }
}
