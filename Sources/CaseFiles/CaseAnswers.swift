import Entitlements

/// The words that a case may expect of a step: another one is a slip, and no answer could ever be it.
enum CaseAnswers {
    private static let facts: [String] =
        [.recorded, .duplicate, .belongsToAnotherAccount(nil), .unclaimed].map { (outcome: Outcome) in "\(outcome)" }
        + Rejection.allCases.map { "\(Outcome.rejected($0))" }
    private static let acts: [String] = ["ok"] + Outcome.Refusal.allCases.map(\.rawValue)

    /// Reads the answers of a step. Throws `DocumentError`.
    static func read(_ node: JSONNode, of kind: String) throws(DocumentError) -> [String] {
        let words = ["notification", "push", "restore"].contains(kind) ? facts : acts
        var answers: [String] = []
        for element in try node.elements(limit: CaseLimits.objects) {
            let answer = try element.text()
            guard words.contains(answer) else {
                throw element.error(
                    .invalidValue,
                    "a \(kind) is never answered \"\(answer)\"; write one of \(words.joined(separator: ", "))")
            }
            answers.append(answer)
        }
        return answers
    }
}
