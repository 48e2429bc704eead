import Testing

@testable import EntitledClient

/// What the web client reports, in this library's words. Answers are in `WebClientTests`.
@Suite struct WebTransportTests {
    private static func request(_ url: String, token: String = "t") -> TransportRequest {
        TransportRequest(
            method: "GET", url: url, headers: ["Authorization": "Bearer \(token)"], body: nil, timeout: 20_000,
            answerLimit: 1_000)
    }

    @Test func nobodyThereIsTheNetwork() async {
        // Port 1 is nobody's.
        let error = await #expect(throws: ClientError.self) {
            try await WebTransport().send(Self.request("http://127.0.0.1:1/"))
        }
        #expect(error?.code == .network)
    }

    @Test(arguments: [request("ftp://127.0.0.1/"), request("http://127.0.0.1:1/", token: "t\r\nX: y")])
    func whatCannotBeSentIsTheCallers(_ request: TransportRequest) async {
        let error = await #expect(throws: ClientError.self) { try await WebTransport().send(request) }
        #expect(error?.code == .invalidInput)
    }
}
