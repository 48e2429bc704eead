import Entitlements
import Testing

@Suite("Durations (R2)")
struct CalendarDurationTests {
    @Test(
        "ISO 8601 texts",
        arguments: [
            ("P30D", 0, 30 * 24.0), ("P1M", 1, 0), ("P1Y", 12, 0), ("P1W", 0, 7 * 24), ("P1Y2M", 14, 0),
            ("P1M10D", 1, 240),
            ("P1DT12H", 0, 36), ("PT90M", 0, 1.5), ("PT3600S", 0, 1), ("P0Y30D", 0, 720), ("P2W3D", 0, 17 * 24.0),
        ] as [(String, Int64, Double)])
    func reads(text: String, months: Int64, hours: Double) {
        #expect(CalendarDuration(text) == CalendarDuration(months: months, milliseconds: Int64(hours * 3_600_000)))
    }

    @Test(
        "What is no duration above zero is refused",
        arguments: [
            "", "P", "PT", "P0D", "P0Y0M", "PT0S", "-P1D", "+P1D", "P-1D", "P1.5D", "P1,5D", "30D", "P30", "P1D ",
            " P1D", "p1d",
            "P1DT", "P1H", "P1D1M", "P1M1M", "PT1D", "P12345678D", "P9999Y", "P1X", "P١D", "P30d", "P1D30",
        ])
    func refuses(text: String) {
        #expect(CalendarDuration(text) == nil)
    }

    @Test(
        "Text reads back as the same duration",
        arguments: ["P30D", "P1M", "P1Y6M", "P1W", "P1DT1H1M1S", "PT1M", "P18M"])
    func roundTrip(text: String) throws {
        let duration = try #require(CalendarDuration(text))
        #expect(CalendarDuration(duration.text) == duration)
    }

    private func instant(_ text: String) throws -> Milliseconds { try #require(Time.instant(text)) }

    @Test(
        "Months are steps of the UTC calendar; a day that the month lacks is its last day",
        arguments: [
            ("2026-01-31T10:00:00.000Z", "P1M", 1, "2026-02-28T10:00:00.000Z"),
            ("2028-01-31T10:00:00.000Z", "P1M", 1, "2028-02-29T10:00:00.000Z"),
            ("2026-01-31T10:00:00.000Z", "P1M", 2, "2026-03-31T10:00:00.000Z"),
            ("2028-02-29T00:00:00.000Z", "P1Y", 1, "2029-02-28T00:00:00.000Z"),
            ("2026-12-31T23:59:59.999Z", "P1M", 2, "2027-02-28T23:59:59.999Z"),
            ("2026-03-28T12:00:00.000Z", "P30D", 1, "2026-04-27T12:00:00.000Z"),
            ("2026-01-31T00:00:00.000Z", "P1M1D", 1, "2026-03-01T00:00:00.000Z"),
        ])
    func calendarSteps(start: String, text: String, count: Int64, end: String) throws {
        let duration = try #require(CalendarDuration(text))
        #expect(Time.text(duration.end(from: try instant(start), count: count)) == end)
    }

    @Test("Arithmetic stops at the year 9999 instead of wrapping")
    func clamps() throws {
        let duration = try #require(CalendarDuration("P1000Y"))
        #expect(duration.end(from: 0, count: .max) == Time.latest)
        #expect(try #require(CalendarDuration("P366000D")).end(from: 0, count: .max) == Time.latest)
        #expect(duration.end(from: 5, count: 0) == 5)
    }
}

@Suite("Instants as text")
struct TimeTextTests {
    @Test(
        "Zones, and fractions of one to three digits",
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:30-00:30", 0),
            ("1970-01-01T00:00:01.5Z", 1500), ("2026-06-01T10:00:00.000Z", 1_780_308_000_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("1969-12-31T23:59:59.999Z", -1),
        ])
    func reads(text: String, instant: Milliseconds) {
        #expect(Time.instant(text) == instant)
    }

    @Test(
        "Anything else is no instant",
        arguments: [
            "", "2026-06-01", "2026-06-01T10:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-06-01T24:00:00Z",
            "2026-06-01T10:60:00Z", "2026-06-01T10:00:00.0000Z", "2026-06-01T10:00:00.Z", "2026-6-1T10:00:00Z",
            "2026-06-01 10:00:00Z", "2026-06-01T10:00:00Zx", "2026-06-00T10:00:00Z", "0000-01-01T00:00:00Z",
            "1780308000000",
        ])
    func refuses(text: String) {
        #expect(Time.instant(text) == nil)
    }

    @Test("Text reads back as the same instant", arguments: 1...5)
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let instant = Int64.random(in: -62_135_596_800_000...Time.latest, using: &generator)
            #expect(Time.instant(Time.text(instant)) == instant, "seed \(seed)")
        }
    }
}
