import Entitlements

extension ServerCase {
    /// Lets every step happen on a fresh target, asks every question and says what differs. Throws what the target throws.
    public func run(on target: inout some CaseTarget) async throws -> CaseReport {
        var report = CaseReport(id: id)
        for step in steps {
            let answers = try await target.apply(step)
            if let expected = step.answers, expected != answers {
                report.compare(
                    "step \(step.index) (\(step.kind) at \(Time.text(step.at))) answers",
                    expected: Self.list(expected), found: Self.list(answers))
            }
        }
        for expectation in expectations { try await ask(expectation, target: &target, report: &report) }
        return report
    }

    private func ask(
        _ expectation: CaseExpectation, target: inout some CaseTarget, report: inout CaseReport
    ) async throws {
        let comparison = Comparison(expectation)
        if let account = expectation.account?.id {
            let snapshot = try await target.snapshot(
                account: account, environment: expectation.environment, at: expectation.at, knownAt: expectation.knownAt
            )
            comparison.compare(SnapshotView(snapshot), &report)
            if !expectation.intervals.isEmpty {
                // Asked at the beginning of time, a snapshot holds every interval there is.
                let all = try await target.snapshot(
                    account: account, environment: expectation.environment, at: 0, knownAt: expectation.knownAt)
                comparison.compareIntervals(SnapshotView(all), &report)
            }
        }
        if let expected = expectation.unclaimed {
            let found = try await target.unclaimed(environment: expectation.environment, knownAt: expectation.knownAt)
            report.compare(
                comparison.place.isEmpty ? "unclaimed" : "\(comparison.place) unclaimed",
                expected: Self.list(expected.sorted()),
                found: Self.list(found.sorted()))
        }
    }

    static func list(_ texts: [String]) -> String { "[" + texts.joined(separator: ", ") + "]" }
}

/// What a case reads in a snapshot.
private struct SnapshotView {
    let snapshot: JSONObject
    /// Entries by entitlement.
    let entries: [String: JSONObject]

    init(_ snapshot: JSONObject) {
        self.snapshot = snapshot
        var entries: [String: JSONObject] = [:]
        for entry in snapshot["entitlements"]?.arrayValue ?? [] {
            guard let object = entry.objectValue, let id = object["id"]?.stringValue else { continue }
            entries[id] = object
        }
        self.entries = entries
    }

    var active: [String] { entries.filter { $0.value["isActive"] == true }.keys.sorted() }
}

/// One expectation against what was found.
private struct Comparison {
    let expectation: CaseExpectation
    /// Begins every difference: which question it is.
    let place: String

    init(_ expectation: CaseExpectation) {
        self.expectation = expectation
        var words: [String] = []
        if expectation.namesInstant { words.append("at \(Time.text(expectation.at))") }
        if let knownAt = expectation.knownAt { words.append("known at \(Time.text(knownAt))") }
        if expectation.environment != .production { words.append("in \(expectation.environment)") }
        if let account = expectation.account { words.append(account.name) }
        place = words.joined(separator: " ")
    }

    func compare(_ view: SnapshotView, _ report: inout CaseReport) {
        if let active = expectation.active {
            report.compare(
                "\(place) active", expected: ServerCase.list(active.sorted()), found: ServerCase.list(view.active))
        }
        for (entitlement, fields) in expectation.entries {
            compare(fields, view.entries[entitlement], "\(place) entries.\(entitlement)", &report)
        }
        for (currency, amount) in expectation.balances {
            // Nobody has been credited anything: there is no balance, which is 0.
            let found = view.snapshot["balances"]?.objectValue?[currency] ?? 0
            report.compare("\(place) balances.\(currency)", expected: "\(amount)", found: found.text)
        }
        if let expected = expectation.nextChangeAt {
            report.compare(
                "\(place) nextChangeAt", expected: Self.instant(expected),
                found: Self.instant(view.snapshot["nextChangeAt"] ?? .null))
        }
        if let expected = expectation.needsReconciliation {
            report.compare(
                "\(place) needsReconciliation", expected: "\(expected)",
                found: (view.snapshot["needsReconciliation"] ?? .null).text)
        }
    }

    private func compare(_ fields: JSONObject?, _ entry: JSONObject?, _ place: String, _ report: inout CaseReport) {
        guard let fields, let entry else {
            report.compare(
                place, expected: fields == nil ? "none" : "an entry", found: entry == nil ? "none" : "an entry")
            return
        }
        for member in fields.members {
            // Absent and null are the same in a snapshot.
            let found = entry[member.name] ?? .null
            let isInstant = member.name.hasSuffix("Date")
            report.compare(
                "\(place).\(member.name)", expected: isInstant ? Self.instant(member.value) : Self.word(member.value),
                found: isInstant ? Self.instant(found) : Self.word(found))
        }
    }

    func compareIntervals(_ view: SnapshotView, _ report: inout CaseReport) {
        for (entitlement, intervals) in expectation.intervals {
            let expected = JSONValue.array(
                intervals.union().map { [.integer($0.start), $0.end == Interval.forever ? .null : .integer($0.end)] })
            let found = view.entries[entitlement]?["activeIntervals"] ?? []
            guard expected != found else { continue }
            report.compare(
                "\(place) intervals.\(entitlement)", expected: Self.intervals(expected), found: Self.intervals(found))
        }
    }

    /// A text without its quotes: differences are for people.
    private static func word(_ value: JSONValue) -> String { value.stringValue ?? value.text }

    private static func instant(_ value: JSONValue) -> String { value.integerValue.map(Time.text) ?? value.text }

    private static func intervals(_ value: JSONValue) -> String {
        let parts = (value.arrayValue ?? []).map { part in
            "[" + (part.arrayValue ?? []).map(instant).joined(separator: ", ") + "]"
        }
        return parts.isEmpty ? "none" : parts.joined(separator: " ")
    }
}
