/// How much is logged.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Also what helps to find mistakes.
    case debug
    /// Also each request.
    case info
    /// What may need somebody.
    case warning
    /// What needs somebody.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// By what needs attention most.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
