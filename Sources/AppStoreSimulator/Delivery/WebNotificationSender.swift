public import WebClient

/// Posts notifications over HTTP and names the outcome as the App Store does (notifications.md section 4).
public struct WebNotificationSender: NotificationSender {
    private let client: WebClient

    /// A sender. Throws `WebError` if this machine has no means for one.
    public init() throws(WebError) { client = try WebClient() }

    /// How it went.
    public func send(_ body: [UInt8], to url: String) async -> String {
        let request = WebRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json"], body: body,
            timeout: .seconds(15))
        do {
            let response = try await client.send(request)
            // 200 to 206 and nothing else; a redirect is a failure, too.
            return 200...206 ~= response.status ? Delivery.Attempt.success : "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        } catch let error as WebError {
            return Self.words[error.code] ?? "OTHER"
        } catch {
            return "OTHER"
        }
    }

    private static let words: [WebError.Code: String] = [
        .timedOut: "TIMED_OUT", .unreachable: "NO_RESPONSE", .untrusted: "TLS_ISSUE", .brokenAnswer: "INVALID_RESPONSE",
        .answerTooLong: "INVALID_RESPONSE", .resourcesExhausted: "SOCKET_ISSUE",
    ]
}
