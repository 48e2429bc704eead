import FoundationEssentials

/// Names one request in the log, in the answer's header and in a problem. Small, since a held poll keeps it.
struct RequestID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A new random one.
    init() {
        var generator = SystemRandomNumberGenerator()
        high = generator.next()
        low = generator.next()
    }

    /// The same, where a UUID is wanted.
    var uuid: UUID {
        let bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// 32 lower-case hexadecimal digits.
    var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The caller's trace (W3C Trace Context), taken from `traceparent` for the log and handed back in the answer.
struct TraceParent: Sendable, Hashable {
    /// The whole header: version, trace, parent and flags.
    let text: String

    /// Nil unless the text is a valid `traceparent` of version 00.
    init?(_ text: String?) {
        guard let text, text.utf8.count == 55 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00",
            parts.allSatisfy({ $0.utf8.allSatisfy(Self.isLowerHex) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        self.text = text
    }

    /// What names the trace.
    var traceID: String { String(text.dropFirst(3).prefix(32)) }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}
