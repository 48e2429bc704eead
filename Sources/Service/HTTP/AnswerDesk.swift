import Entitlements
import EventLoop
import Postgres
import Sync

/// Sends answers, past the log and the metrics.
final class AnswerDesk: Sendable {
    private let log: Log
    private let metrics: Metrics

    init(log: Log, metrics: Metrics) {
        self.log = log
        self.metrics = metrics
    }

    /// Sends an answer. From any thread.
    func answer(_ ticket: Ticket, _ answer: Answer) {
        send(ticket, answer.response)
        record(ticket, status: answer.response.status, code: nil, outcomes: answer.outcomes)
    }

    /// Sends a refusal. From any thread.
    func refuse(_ ticket: Ticket, _ error: any Error) {
        let problem = problem(of: error, ticket)
        let response = problem.response(requestID: ticket.id.description)
        send(ticket, response)
        record(ticket, status: response.status, code: problem.code, outcomes: [:])
    }

    /// The client left before it was answered.
    func left(_ ticket: Ticket) {
        record(ticket, status: 499, code: nil, outcomes: [:])
    }

    private func send(_ ticket: Ticket, _ response: HTTPResponse) {
        var response = response
        response.headers.append(HTTPResponse.Header("Request-Id", ticket.id.description))
        if let trace = ticket.trace { response.headers.append(HTTPResponse.Header("traceparent", trace.text)) }
        ticket.responder.send(response)
    }

    private func problem(of error: any Error, _ ticket: Ticket) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as SyncError:
            let problem = Problem(error)
            if problem.status >= 500 { complain(ticket, error.description) }
            return problem
        case let error as PostgresError where error.isRetryable || error.isOutcomeUnknown:
            complain(ticket, error.description)
            return .databaseAway
        default:
            // Foreseen by no handler. Its text may hold data, so the log gets its type only.
            complain(ticket, String(describing: type(of: error)))
            return Problem(.internalError)
        }
    }

    private func complain(_ ticket: Ticket, _ reason: String) {
        log.write(.error, "requestFailed") { writer in
            writer.member("requestId", ticket.id.description)
            if let trace = ticket.trace { writer.member("traceId", trace.traceID) }
            writer.member("reason", reason)
        }
    }

    private func record(_ ticket: Ticket, status: Int, code: ProblemCode?, outcomes: [String: Int]) {
        let duration = ticket.responder.loop.now - ticket.startedAt
        metrics.count(ticket.route, status: status, duration: duration)
        log.write(status >= 500 ? .warning : .info, "request") { writer in
            writer.member("requestId", ticket.id.description)
            if let trace = ticket.trace { writer.member("traceId", trace.traceID) }
            writer.member("method", ticket.route?.method)
            writer.member("route", ticket.route?.template)
            writer.member("status", Int64(status))
            if let code { writer.member("code", code.rawValue) }
            writer.member("durationUs", duration.microseconds)
            if let tag = ticket.accountTag { writer.member("account", tag) }
            guard !outcomes.isEmpty else { return }
            writer.name("outcomes")
            writer.object { writer in
                for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
                    writer.member(outcome, Int64(count))
                }
            }
        }
    }
}

extension Problem {
    /// What the caller is told when the core cannot do its work now.
    init(_ error: SyncError) {
        switch error.code {
        case .databaseUnavailable: self = .databaseAway
        case .overloaded, .contended: self.init(.overloaded, retryAfter: Self.spreadWait)
        case .unknownApp: self.init(.unknownApp)
        case .unreadableLog, .unstorable: self.init(.internalError)
        }
    }
}

extension Duration {
    /// Whole microseconds, rounded down.
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
