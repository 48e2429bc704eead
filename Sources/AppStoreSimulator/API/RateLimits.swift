import Entitlements

/// Counts the calls of each endpoint by the hour, as Apple does (server-api.md section 5).
struct RateLimits: Sendable {
    /// An hour by whose machine the calls are counted.
    private static let hour: Milliseconds = 3_600_000

    /// Share of Apple's limit in Production: Sandbox has a tenth. Nil: no limit at all.
    private let share: Double?
    private var windows: [APIRoute: (start: Milliseconds, calls: Int)] = [:]

    init(share: Double?) { self.share = share }

    /// How many calls an hour an endpoint takes; nil: any number.
    func hourly(_ route: APIRoute) -> Int? {
        guard let share, let rate = route.callsPerSecond else { return nil }
        return Int(Double(rate * 3600) * share)
    }

    /// Counts a call. Nil: it may be answered; else when the next one may come, in milliseconds since 1970.
    mutating func admit(_ route: APIRoute, at now: Milliseconds) -> Milliseconds? {
        guard let limit = hourly(route) else { return nil }
        var window = windows[route] ?? (now, 0)
        if now - window.start >= Self.hour { window = (now, 0) }
        guard window.calls < limit else { return window.start + Self.hour }
        window.calls += 1
        windows[route] = window
        return nil
    }
}
