/// What came out of a case.
public struct CaseReport: Sendable, Hashable {
    /// The case.
    public let id: String
    /// What differs from what is expected, one sentence each; none when all is as it should be.
    public internal(set) var differences: [String] = []

    init(id: String) { self.id = id }

    /// Whether nothing differs.
    public var isOK: Bool { differences.isEmpty }

    /// `ok C01`, or a line for each difference.
    public var lines: [String] { isOK ? ["ok \(id)"] : differences.map { "\(id): \($0)" } }

    mutating func compare(_ place: String, expected: String, found: String) {
        if expected != found { differences.append("\(place): expected \(expected), found \(found)") }
    }
}
