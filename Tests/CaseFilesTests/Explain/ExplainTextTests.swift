import Entitlements
import Foundation
import Testing

/// What a support person reads, word by word. After a wished change of words: `entitled derive --case FILE --explain ACCOUNT
/// --at T > Tests/Golden/Explain/CASE-ACCOUNT.txt`, and read what has changed.
@Suite("Explanations as people read them")
struct ExplainTextTests {
    struct Question: Sendable, CustomTestStringConvertible {
        let name: String
        let account: String
        let at: String
        var knownAt: String?

        init(_ name: String, _ account: String, _ at: String, knownAt: String? = nil) {
            (self.name, self.account, self.at, self.knownAt) = (name, account, at, knownAt)
        }

        var testDescription: String { "\(name) \(account)" }
    }

    private static func expected(_ file: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Golden/Explain")
        return String(decoding: try Data(contentsOf: folder.appending(path: file + ".txt")), as: UTF8.self)
    }

    @Test(
        "Why the answer is what it is",
        arguments: [
            Question("C04", "A1", "2026-06-15T10:00:00.000Z"), Question("C17", "A1", "2026-06-05T10:00:00.000Z"),
            Question("C26", "A1", "2026-06-06T10:00:00.000Z"), Question("C27", "A1", "2026-03-01T10:00:00.000Z"),
            Question("C47", "A1", "2026-06-15T10:00:00.000Z"), Question("C47", "A2", "2026-06-15T10:00:00.000Z"),
            Question("C47b", "A1", "2026-06-12T10:00:00.000Z"), Question("C49", "A1", "2026-05-20T10:00:00.000Z"),
            Question("C49", "A2", "2026-06-15T10:00:00.000Z"), Question("C57", "A2", "2026-05-25T10:00:00.000Z"),
            Question("C66", "A1", "2026-06-15T10:00:00.000Z"), Question("C76", "A1", "2026-07-03T10:00:00.000Z"),
            Question("C76b", "A1", "2026-06-01T10:00:00.000Z"),
            Question("N03", "A1", "2026-05-10T12:00:00.000Z", knownAt: "2026-05-10T12:00:00.000Z"),
            Question("N43", "A1", "2026-05-10T10:01:00.000Z"),
            Question("N19", "A1", "2026-07-01T10:00:00.000Z"), Question("N19", "A2", "2026-07-01T10:00:00.000Z"),
        ])
    func explanation(_ question: Question) throws {
        let explained = try ExplainedCase(question.name)
        let text = try explained.explanation(question.account, at: question.at, knownAt: question.knownAt).text()
        #expect(try text == Self.expected("\(question.name)-\(question.account)"))
    }

    @Test("What happened", arguments: [("C04", "A1"), ("C26", "A1"), ("C49", "A2"), ("C76b", "A1")])
    func history(_ name: String, _ account: String) throws {
        let text = try ExplainedCase(name).history(account).text
        #expect(try text == Self.expected("\(name)-\(account)-history"))
    }
}
