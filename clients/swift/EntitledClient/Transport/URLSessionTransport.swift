import Entitlements
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to the service over `URLSession`, without caches and cookies.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges

    /// A session of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        exchanges = Exchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for its whole answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: request.url) else {
            throw ClientError(.invalidInput, "the service's address is no URL")
        }
        var urlRequest = URLRequest(url: url, timeoutInterval: Double(request.timeout) / 1000)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task.taskIdentifier, limit: request.answerLimit, continuation)
                task.resume()
                // Cancelled before it was begun: the handler below found nothing to end.
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// What is out on a session, by task.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        let limit: Int
        let continuation: CheckedContinuation<TransportResponse, any Error>
        var body: [UInt8] = []
    }

    private let open = Mutex<[Int: Exchange]>([:])

    func begin(_ task: Int, limit: Int, _ continuation: CheckedContinuation<TransportResponse, any Error>) {
        open.withLock { $0[task] = Exchange(limit: limit, continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLong = open.withLock { open in
            open[dataTask.taskIdentifier]?.body.append(contentsOf: data)
            guard let exchange = open[dataTask.taskIdentifier] else { return false }
            return exchange.body.count > exchange.limit
        }
        if tooLong { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard error == nil, exchange.body.count <= exchange.limit, let response = task.response as? HTTPURLResponse
        else {
            return exchange.continuation.resume(throwing: ClientError(.network, "the service did not answer"))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        // Not every URLSession reports a connection that was cut in the middle of a body.
        if let length = headers["content-length"].flatMap(Int.init), headers["content-encoding"] == nil,
            length != exchange.body.count
        {
            return exchange.continuation.resume(throwing: ClientError(.network, "the answer was cut off"))
        }
        exchange.continuation.resume(
            returning: TransportResponse(status: response.statusCode, headers: headers, body: exchange.body))
    }
}
