/// A statement that each session prepares once, under its name.
public struct PostgresStatement: Sendable, Hashable {
    /// Unique in the program: one name, one text.
    public let name: String
    /// One statement with parameters `$1`, `$2` …
    public let sql: String
    /// The parameters' types, in order. The server infers nothing.
    public let parameterTypes: [PostgresType]

    /// Describes a statement; nothing is sent until it is used.
    public init(name: String, sql: String, parameterTypes: [PostgresType] = []) {
        self.name = name
        self.sql = sql
        self.parameterTypes = parameterTypes
    }
}

/// A statement with its parameters.
public struct PostgresCommand: Sendable {
    /// What to execute.
    public let statement: PostgresStatement
    /// With which values.
    public let parameters: PostgresParameters

    /// Binds parameters to a statement; they are checked when it is sent.
    public init(_ statement: PostgresStatement, _ parameters: PostgresParameters = PostgresParameters()) {
        self.statement = statement
        self.parameters = parameters
    }
}

/// A message that another session sent with NOTIFY.
public struct PostgresNotification: Sendable, Hashable {
    /// The channel's name.
    public let channel: String
    /// The text that was sent along, maybe empty.
    public let payload: String
    /// The server process that sent it.
    public let processID: Int32
}
