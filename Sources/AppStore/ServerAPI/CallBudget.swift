public import Entitlements

/// Spreads calls evenly below Apple's limits: a bucket of one token an endpoint and environment, filled at a share of the rate
/// that Apple allows. Pure: time is passed in, and the caller waits.
public struct CallBudget: Sendable {
    private struct Line: Hashable {
        let endpoint: ServerAPIEndpoint
        let environment: Environment
    }

    private let share: Double
    /// When the next call of each line may begin, in microseconds.
    private var next: [Line: Int64] = [:]

    /// A budget. The share left over is for commands of operators, which ask beside the service, and for what a busy machine
    /// sends a little late.
    public init(share: Double = 0.95) { self.share = share }

    /// Takes the next place in the line of an endpoint: when the call may begin.
    public mutating func reserve(
        _ endpoint: ServerAPIEndpoint, in environment: Environment, at now: Milliseconds
    ) -> Milliseconds {
        let line = Line(endpoint: endpoint, environment: environment)
        let start = max(next[line] ?? 0, now * 1000)
        next[line] = start + interval(endpoint, environment)
        return (start + 999) / 1000
    }

    /// The App Store asked to wait: nobody calls this endpoint before.
    public mutating func block(_ endpoint: ServerAPIEndpoint, in environment: Environment, until: Milliseconds) {
        let line = Line(endpoint: endpoint, environment: environment)
        next[line] = max(next[line] ?? 0, until * 1000)
    }

    /// Microseconds from one call to the next.
    private func interval(_ endpoint: ServerAPIEndpoint, _ environment: Environment) -> Int64 {
        Int64(3_600_000_000 / (Double(endpoint.callsPerHour(in: environment)) * share))
    }
}
