import Entitlements

extension JSONNode {
    /// An instant: ISO 8601 with a zone, or milliseconds since 1970; until the year 9999. Throws `DocumentError`.
    func instant() throws(DocumentError) -> Milliseconds {
        switch value {
        case .integer(let milliseconds): return try served(milliseconds)
        case .string(let text):
            guard let instant = Time.instant(text) else {
                throw error(
                    .invalidValue,
                    "\"\(text)\" is no instant; write it like \"2026-06-01T10:00:00.000Z\" or as milliseconds")
            }
            return try served(instant)
        default:
            throw error(
                .wrongKind, "this is \(value.kindName), and must be an instant like \"2026-06-01T10:00:00.000Z\"")
        }
    }

    private func served(_ instant: Milliseconds) throws(DocumentError) -> Milliseconds {
        guard (0...Time.latest).contains(instant) else {
            throw error(.outOfRange, "\(instant) is outside the years 1970 to 9999, which times must lie in")
        }
        return instant
    }

    /// Access intervals: `[[start, end], …]`, a null end is for ever.
    func intervals() throws(DocumentError) -> [Interval] {
        var intervals: [Interval] = []
        for node in try elements(limit: CaseLimits.objects) {
            let bounds = try node.elements(limit: 2)
            guard bounds.count == 2 else { throw node.error(.invalidValue, "an interval is [start, end]") }
            let start = try bounds[0].instant()
            let end = bounds[1].value == .null ? Interval.forever : try bounds[1].instant()
            guard start < end else { throw node.error(.outOfRange, "an interval must end after it starts") }
            intervals.append(Interval(start, end))
        }
        return intervals
    }

    /// What a case expects: at least one thing, or it would check nothing. Throws `DocumentError`.
    func expectations() throws(DocumentError) -> [JSONNode] {
        let nodes = try elements(limit: CaseLimits.expectations)
        guard !nodes.isEmpty else {
            throw error(.missingKey, "nothing is expected, so the case would check nothing; add what must follow")
        }
        return nodes
    }

    /// An App Store environment. Throws `DocumentError`.
    func environment() throws(DocumentError) -> Environment {
        let environment = Environment(rawValue: try text())
        guard Environment.known.contains(environment) else {
            let known = Environment.known.map(\.rawValue).joined(separator: ", ")
            throw error(.invalidValue, "\"\(environment)\" is no environment; write one of \(known)")
        }
        return environment
    }
}
