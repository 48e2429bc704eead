import Entitlements

/// Posts a notification to the app's server.
public protocol NotificationSender: Sendable {
    /// How it went, in Apple's words: `SUCCESS`, `TIMED_OUT`, `NO_RESPONSE`, `UNSUCCESSFUL_HTTP_RESPONSE_CODE`, …
    func send(_ body: [UInt8], to url: String) async -> String
}

/// Carries what is due to the app's server, one after the other: so what is not reordered on purpose keeps its order.
struct Courier {
    private let simulator: Simulator
    private let sender: any NotificationSender

    init(_ simulator: Simulator, _ sender: any NotificationSender) {
        self.simulator = simulator
        self.sender = sender
    }

    /// Until the simulator ends, or the task is cancelled.
    func run() async {
        guard let url = simulator.notificationURL else { return }
        for await _ in simulator.news {
            while !Task.isCancelled {
                let due = simulator.takeDue()
                guard !due.isEmpty else { break }
                for sending in due {
                    let body: JSONObject = ["signedPayload": .string(sending.signedPayload)]
                    let result = await sender.send(Array(JSONValue.object(body).text.utf8), to: url)
                    simulator.report(sending, result)
                }
            }
            simulator.restIfIdle()
        }
    }
}
