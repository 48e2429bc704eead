import Entitlements
import Signatures

extension VerificationReport {
    /// The report for people, without the name of where the object came from.
    public var text: String {
        lines.joined(separator: "\n")
    }

    private var lines: [String] {
        lines(below: nil)
    }

    private func lines(below outer: VerificationReport?) -> [String] {
        var lines = [
            [field, kind.rawValue, isVerified ? "verified" : "REFUSED"].compactMap { $0 }.joined(separator: "  ")
        ]
        if let refusal = verdict.refusal { lines += Self.lines(refusal) }
        lines.append("  checks")
        lines += Self.table(checksByOutcome)
        if let data = verdict.verified {
            let source = data.judgedAt == data.signedDate ? "its signing date" : "not its own signing date"
            lines.append("  judged at  \(Timestamp.text(data.judgedAt)) (\(source))")
        }
        if let outer, outer.verdict.verified?.headerHash == verdict.verified?.headerHash, isVerified {
            lines.append("  certificates  the same as those of the \(outer.kind.rawValue)")
        } else if !certificates.isEmpty {
            lines.append("  certificates")
            lines += Self.table(certificates.map { ($0.place, Self.words($0.certificate)) })
        }
        if let payload = contents.payload {
            lines.append(isVerified ? "  payload" : "  payload (not verified)")
            lines += Self.table(PayloadLines.of(payload, as: kind))
        }
        lines += notes.map { "  note  \($0)" }
        lines += inner.flatMap { $0.lines(below: self) }.map { "  " + $0 }
        return lines
    }

    private static func lines(_ refusal: Refusal) -> [String] {
        let place = [
            refusal.inner.map { "in \($0)" }, refusal.certificate.map { "certificate \($0.rawValue)" },
            refusal.field.map { "field \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
        return [
            "  failed  \(refusal.check.rawValue) (\(refusal.code.rawValue))\(place.isEmpty ? "" : ", \(place)")",
            "          \(refusal.message)",
        ]
    }

    private var checksByOutcome: [(String, String)] {
        [Outcome.failed, .passed, .skipped, .notCompared, .notReached].compactMap { outcome in
            let names = checks.filter { $0.outcome == outcome }.map(\.check.rawValue)
            return names.isEmpty ? nil : (Self.word(outcome), names.joined(separator: ", "))
        }
    }

    private static func word(_ outcome: Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .failed: "FAILED"
        case .notReached: "not reached"
        case .notCompared: "not compared"
        case .skipped: "left out"
        }
    }

    private static func words(_ certificate: Certificate) -> String {
        let dates = "\(Timestamp.text(certificate.notBefore)) to \(Timestamp.text(certificate.notAfter))"
        return
            "\(certificate.subject)\n\(dates), serial \(certificate.serialNumber)\nsha-256 \(certificate.fingerprint)"
    }

    /// Two columns; further lines of the second one stand below its first.
    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.flatMap { name, value in
            value.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
                let label = index == 0 ? name : ""
                return "    \(label)\(String(repeating: " ", count: width - label.count))  \(line)"
            }
        }
    }
}
