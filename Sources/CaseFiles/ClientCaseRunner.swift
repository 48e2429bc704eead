import Entitlements

extension ClientCase {
    /// Lets the client's own code live through the case and compares its answers.
    public func run() -> CaseReport {
        var device = Device(policies: policies)
        var report = CaseReport(id: id)
        for (step, tick) in ticks.enumerated() {
            device.live(tick)
            for expectation in expectations where expectation.step == step {
                let place = "step \(step) (\(tick.event.rawValue) at \(Time.text(tick.wall)))"
                let answer = device.answer
                report.compare(
                    "\(place) answer", expected: expectation.access.rawValue, found: answer.access.rawValue)
                if let flags = expectation.flags {
                    report.compare("\(place) flags", expected: Self.text(of: flags), found: Self.text(of: answer.flags))
                }
            }
        }
        return report
    }

    private static func text(of flags: Set<ClientAnswer.Flag>) -> String {
        "[" + flags.map(\.rawValue).sorted().joined(separator: ", ") + "]"
    }
}

/// A device with one account: its clock and its cache.
private struct Device {
    private let policies: Policies
    private var cached: (clock: TrustedClock, snapshot: CachedSnapshot)?
    private static let entitlement = "it"

    init(policies: Policies) { self.policies = policies }

    mutating func live(_ tick: ClientCase.Tick) {
        switch tick.event {
        case .fetch:
            guard let fetched = tick.fetched else { break }
            let snapshot = CachedSnapshot(
                fetchedAt: fetched.serverTime, offlineGrace: policies.offlineGrace, staleAccess: policies.staleAccess,
                entitlements: [Self.entitlement: fetched.entitlement])
            let clock = TrustedClock(
                serverTime: fetched.serverTime, wall: tick.wall, monotonic: tick.monotonic)
            cached = (clock, snapshot)
        case .switchAccount: cached = nil
        case .reboot: cached?.clock.rebooted(wall: tick.wall, monotonic: tick.monotonic)
        // Nothing here is evidence; time goes on (rules.md R9).
        case .fetchFailed, .emptyRead, .purchaseCancelled, .ask, .timer, .start:
            cached?.clock.observe(wall: tick.wall, monotonic: tick.monotonic)
        }
    }

    var answer: ClientAnswer {
        guard let cached else { return .unknown }
        return cached.snapshot.answer(for: Self.entitlement, by: cached.clock)
    }
}
