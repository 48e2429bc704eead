import CLibpq

/// What the server said when it refused a command.
struct ServerFailure: Hashable, Sendable {
    let state: SQLState
    /// FATAL or PANIC: the server ends the session. Also when libpq itself says so, because the connection broke.
    let isFatal: Bool
    let message: String

    /// The error for whoever sent the command.
    var error: PostgresError {
        PostgresError(.server(state), message)
    }
}

extension ServerFailure {
    /// Reads an error result, which is only lent.
    init(result: OpaquePointer?) {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
            return String(cString: text)
        }
        // The letters of PG_DIAG_*, which are character constants of C.
        state = SQLState(rawValue: field("C") ?? "XX000")
        let severity = field("V")
        // Results that libpq makes have no severity: the server did not refuse anything, its answer is missing.
        isFatal = severity != "ERROR"
        var text: String
        if case SQLState.Class.dataException = state {
            // Messages of this class repeat the value.
            text = "the server refused a value (SQLSTATE \(state))"
        } else {
            text = (field("M") ?? "the server gave no reason") + " (SQLSTATE \(state))"
        }
        if let constraint = field("n") { text += ", constraint \(constraint)" }
        if let column = field("c") { text += ", column \(column)" }
        message = text
    }
}
