import Entitlements

/// A payload's fields as lines for people: dates as dates, signed objects by their length, objects opened.
enum PayloadLines {
    static func of(_ payload: JSONObject, as kind: SignedDataKind) -> [(String, String)] {
        let dates = Set(
            (PayloadTables.fields(of: kind) + PayloadTables.nested.values.joined())
                .filter { $0.form == .date }.map(\.name))
        return rows(payload, prefix: "", dates: dates)
    }

    private static func rows(_ object: JSONObject, prefix: String, dates: Set<String>) -> [(String, String)] {
        object.members.flatMap { member -> [(String, String)] in
            let name = prefix + member.name
            if let nested = member.value.objectValue, !nested.isEmpty {
                return rows(nested, prefix: name + ".", dates: dates)
            }
            return [(name, value(member.value, isDate: dates.contains(member.name)))]
        }
    }

    private static func value(_ value: JSONValue, isDate: Bool) -> String {
        if isDate, let instant = SignedContent.date(value), Time.earliestPrintable...Time.latest ~= instant {
            return "\(value.text)  \(Timestamp.text(instant))"
        }
        if let text = value.stringValue, text.utf8.count > 200 { return "… \(text.utf8.count) bytes" }
        return value.text
    }
}

extension Time {
    /// The year 1, which Xcode writes for "never" (signed-data.md section 4).
    fileprivate static let earliestPrintable: Milliseconds = -62_135_769_600_000
}
