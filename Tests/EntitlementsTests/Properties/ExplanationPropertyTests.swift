import Testing

@testable import Entitlements

/// The reasons agree with the answer, whatever happened.
@Suite("Explanations of random histories")
struct ExplanationPropertyTests {
    @Test("Every ended access has an end in force, told by an event", arguments: 0..<2 as Range<UInt64>)
    func endsAreTold(block: UInt64) {
        for seed in block * 100..<block * 100 + 100 {
            var world = RandomWorld.empty(known: [RandomFacts.accounts[0]])
            for (at, step) in RandomWorld.steps(seed: seed) { world.apply(step, at: at) }
            for account in RandomFacts.accounts {
                let instant = RandomFacts.origin + Int64(seed % 120) * Time.day
                let explanation = world.explanation(account: account, environment: .production, at: instant)
                for reasons in explanation.entitlements {
                    guard let fault = fault(in: reasons) else { continue }
                    Issue.record("seed \(seed), \(account), \(reasons.id): \(fault)\n\(explanation.text())")
                    return
                }
                var writer = JSONWriter()
                explanation.write(to: &writer)
                #expect(throws: Never.self) { try JSONValue(parsing: writer.bytes, limits: .file) }
                let history = world.history(account: account, environment: .production)
                #expect(history.entries.count == world.events(of: .account(.production, account)).count)
            }
        }
    }

    private func fault(in reasons: Explanation.EntitlementReasons) -> String? {
        if reasons.entry?.transactionId != reasons.choice?.id { return "another one describes" }
        let active = reasons.candidates.contains { [.active, .inGracePeriod].contains($0.standing) }
        if active != (reasons.entry?.isActive ?? false) { return "active or not is told otherwise" }
        for candidate in reasons.candidates {
            guard let end = candidate.end else {
                if candidate.nothing == nil { return "\(candidate.id) gives nothing without a reason" }
                continue
            }
            if candidate.toldBy == nil { return "nobody told of \(candidate.id)" }
            if end == Interval.forever { continue }
            guard let decisive = candidate.decisiveEnd else { return "\(candidate.id) ends without a reason" }
            if decisive.toldBy == nil { return "nobody told of the end of \(candidate.id), \(decisive.cause)" }
        }
        if let next = reasons.next, next.after == reasons.entry { return "the next change changes nothing" }
        return nil
    }
}
