import Entitlements
import Testing

@Suite("Answers of a client (R9, R11)")
struct CachedSnapshotTests {
    private func snapshot(
        _ intervals: [Interval], willRenew: Bool? = nil, endIsFinal: Bool = false, fetchedAt: Milliseconds = 1000,
        grace: Milliseconds = 100, stale: Policies.StaleAccess = .keep
    ) -> CachedSnapshot {
        CachedSnapshot(
            fetchedAt: fetchedAt, offlineGrace: grace, staleAccess: stale,
            entitlements: [
                "pro": CachedEntitlement(intervals: intervals, willRenew: willRenew, endIsFinal: endIsFinal)
            ])
    }

    private func answer(_ snapshot: CachedSnapshot, _ now: Milliseconds) -> ClientAnswer {
        snapshot.answer(for: "pro", at: now)
    }

    @Test("The limit is reached at exactly fetch plus L")
    func limit() {
        let lasting = snapshot([Interval(0, Interval.forever)])
        #expect(answer(lasting, 1099) == ClientAnswer(.active))
        #expect(answer(lasting, 1100) == ClientAnswer(.active, flags: [.stale]))
        let denied = snapshot([Interval(0, Interval.forever)], stale: .deny)
        #expect(answer(denied, 1099) == ClientAnswer(.active))
        #expect(answer(denied, 1100) == ClientAnswer(.inactive, flags: [.stale]))
    }

    @Test(
        "An end that passes offline",
        arguments: [
            (true, false, ClientAnswer(.active, flags: [.assumedRenewal])), (true, true, ClientAnswer(.inactive)),
            (false, false, ClientAnswer(.inactive)), (nil, false, ClientAnswer(.inactive)),
        ] as [(Bool?, Bool, ClientAnswer)])
    func endOffline(willRenew: Bool?, isFinal: Bool, expected: ClientAnswer) {
        let cached = snapshot([Interval(0, 1050)], willRenew: willRenew, endIsFinal: isFinal)
        #expect(answer(cached, 1049) == ClientAnswer(.active))
        #expect(answer(cached, 1050) == expected)
        #expect(answer(cached, 1100) == ClientAnswer(.inactive, flags: [.stale]))
    }

    @Test("Nothing is assumed of an end that had passed at the fetch, nor behind the limit")
    func notAssumed() {
        #expect(answer(snapshot([Interval(0, 1000)], willRenew: true), 1000) == ClientAnswer(.inactive))
        #expect(
            answer(snapshot([Interval(0, 1100)], willRenew: true), 1100) == ClientAnswer(.inactive, flags: [.stale]))
        #expect(answer(snapshot([], willRenew: true), 1001) == ClientAnswer(.inactive))
    }

    @Test("A gap between two known intervals is a gap; behind the last one the renewal is assumed")
    func gap() {
        let cached = snapshot([Interval(0, 1020), Interval(1040, 1060)], willRenew: true)
        #expect(answer(cached, 1030) == ClientAnswer(.inactive))
        #expect(answer(cached, 1040) == ClientAnswer(.active))
        #expect(answer(cached, 1060) == ClientAnswer(.active, flags: [.assumedRenewal]))
    }

    @Test("What the snapshot does not name is not had; a rolled back clock is told")
    func others() {
        let cached = snapshot([Interval(0, 1050)])
        #expect(cached.answer(for: "other", at: 1001) == ClientAnswer(.inactive))
        var clock = TrustedClock(serverTime: 1000, wall: 0, monotonic: 0)
        clock.observe(wall: -1, monotonic: 10)
        #expect(cached.answer(for: "pro", by: clock) == ClientAnswer(.active, flags: [.clockRolledBack]))
    }

    @Test("Answers are constant between the announced changes, and do change there", arguments: 1...200)
    func announcedChanges(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var intervals: [Interval] = []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let start = Int64.random(in: 950...1250, using: &generator)
            let isLast = Int.random(in: 0..<8, using: &generator) == 0
            intervals.append(
                Interval(start, isLast ? Interval.forever : start + Int64.random(in: 1...80, using: &generator)))
        }
        let cached = snapshot(
            intervals.union(), willRenew: [true, false, nil].randomElement(using: &generator) ?? nil,
            endIsFinal: Bool.random(using: &generator), grace: Int64.random(in: 1...200, using: &generator),
            stale: Bool.random(using: &generator) ? .keep : .deny)
        for now in Int64(1000)..<1400 {
            let next = cached.nextChange(for: "pro", after: now)
            let changes = answer(cached, now) != answer(cached, now + 1)
            #expect(changes == (next == now + 1), "seed \(seed), at \(now)")
            #expect(next == nil || cached.nextChange(after: now) ?? .max <= next ?? .max, "seed \(seed), at \(now)")
        }
        #expect(cached.nextChange(for: "pro", after: 1400) == nil, "seed \(seed)")
    }

    @Test(
        "An earlier wall clock never helps: it never turns an answer active that monotonic time alone makes inactive",
        arguments: 1...100)
    func earlierWall(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let cached = snapshot([Interval(0, 1050)], willRenew: Bool.random(using: &generator))
        var honest = TrustedClock(serverTime: 1000, wall: 7000, monotonic: 0)
        var tampered = honest
        for step in 1...50 {
            let monotonic = Int64(step) * 3
            honest.observe(wall: 7000 + monotonic, monotonic: monotonic)
            tampered.observe(
                wall: 7000 + monotonic - Int64.random(in: 0...5000, using: &generator), monotonic: monotonic)
            let (fair, other) = (cached.answer(for: "pro", by: honest), cached.answer(for: "pro", by: tampered))
            #expect(fair.access == other.access, "seed \(seed)")
        }
    }

    @Test("A snapshot is read as the service writes it")
    func readsJSON() throws {
        let text = """
            {"asOf": 1000, "entitlements": [{"id": "pro", "activeIntervals": [[900, 1050], [1050, 1060], [2000, null]],
             "willRenew": null, "endIsFinal": true, "later": 1}], "offline": {"graceMs": 100, "staleAccess": "deny"}, "x": 1}
            """
        let object = try #require(JSONValue(parsing: text).objectValue)
        #expect(
            CachedSnapshot(snapshot: object)
                == snapshot([Interval(900, 1060), Interval(2000, Interval.forever)], endIsFinal: true, stale: .deny))
        for name in ["asOf", "entitlements", "offline"] {
            #expect(CachedSnapshot(snapshot: object.without([name])) == nil)
        }
    }
}
