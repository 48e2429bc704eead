import CLibpq

/// A connection string or URI, checked, with the session's settings added.
struct ConnectionString {
    let parameters: [(key: String, value: String)]

    /// Throws for a string that libpq cannot take apart. libpq's reason is left out, since it may quote a password.
    init(_ text: String, options: PostgresSessionOptions) throws(PostgresError) {
        var reason: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(text, &reason) else {
            if let reason { PQfreemem(reason) }
            throw PostgresError(
                .connectionFailed,
                "the connection string cannot be read: give key=value pairs or a postgresql:// URI as libpq knows them")
        }
        defer { PQconninfoFree(parsed) }
        var ownOptions = ""
        var given: Set<String> = []
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                given.insert(String(cString: keyword))
                if String(cString: keyword) == "options" { ownOptions = String(cString: value) + " " }
            }
            option += 1
        }
        var parameters = [(key: "dbname", value: text)]
        parameters.append((key: "options", value: ownOptions + options.serverSettings))
        parameters.append((key: "client_encoding", value: "UTF8"))
        let defaults = [
            ("application_name", options.applicationName),
            ("tcp_user_timeout", String(options.tcpUserTimeout.wholeMilliseconds)),
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ]
        // What the string says wins over our defaults.
        for (key, value) in defaults where !given.contains(key) {
            parameters.append((key: key, value: value))
        }
        self.parameters = parameters
    }
}

extension Duration {
    /// Rounded down, at least zero.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
