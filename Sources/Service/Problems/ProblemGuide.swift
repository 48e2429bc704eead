/// docs/problems.md: written from the table, so that the two cannot disagree.
package enum ProblemGuide {
    /// The whole page.
    package static var markdown: String {
        var text = """
            # Problem codes

            Every refusal is `application/problem+json` (RFC 9457) with a stable `code`, and a `requestId` that the log has, too.
            *Again* says whether the same request may work later without anybody changing anything.

            | code | status | means | do | again |
            | --- | --- | --- | --- | --- |

            """
        for code in ProblemCode.allCases {
            let kind = code.kind
            let again = kind.isTransient ? "yes" : "no"
            text += "| `\(code.rawValue)` | \(kind.status) | \(kind.meaning) | \(kind.remedy) | \(again) |\n"
        }
        return text
    }
}
