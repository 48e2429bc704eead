import Entitlements
import Testing

@Suite("Trusted time (R11)")
struct TrustedClockTests {
    private let fetched = TrustedClock(serverTime: 1_000_000, wall: 5_000_000, monotonic: 100)

    @Test("A wall clock that is wrong from the start does no harm")
    func wrongFromTheStart() {
        var clock = fetched
        #expect(clock.now == 1_000_000)
        clock.observe(wall: 5_000_700, monotonic: 800)
        #expect(clock.now == 1_000_700)
        #expect(!clock.isRolledBack)
    }

    @Test("The greater of both clocks counts, and the highest wall is kept")
    func greater() {
        var clock = fetched
        clock.observe(wall: 5_009_000, monotonic: 200)
        #expect(clock.now == 1_009_000)
        clock.observe(wall: 5_001_000, monotonic: 300)
        #expect(clock.now == 1_009_000)
        #expect(clock.isRolledBack)
        clock.observe(wall: 5_009_000, monotonic: 400)
        #expect(!clock.isRolledBack)
        clock.observe(wall: 4_000_000, monotonic: 20_100)
        #expect(clock.now == 1_020_000)
    }

    @Test("Monotonic time is kept over reboots, announced or not")
    func reboots() {
        var clock = fetched
        clock.observe(wall: 5_000_000, monotonic: 1100)
        clock.rebooted(wall: 5_000_000, monotonic: 2000)
        #expect(clock.now == 1_003_000)
        clock.observe(wall: 5_000_000, monotonic: 500)
        #expect(clock.now == 1_003_500)
        #expect(clock.elapsed == 3500)
    }

    @Test("Each fetch starts anew")
    func fetchAnew() {
        var clock = fetched
        clock.observe(wall: 9_000_000, monotonic: 50)
        clock.fetched(serverTime: 2_000_000, wall: 5_500_000, monotonic: 60)
        #expect(clock.now == 2_000_000)
        #expect(!clock.isRolledBack)
    }

    @Test("What was kept goes on where it was")
    func kept() {
        var clock = fetched
        clock.observe(wall: 5_009_000, monotonic: 200)
        var again = TrustedClock(
            serverTime: clock.serverTime, wallAtFetch: clock.wallAtFetch, highestWall: clock.highestWall,
            lastWall: clock.lastWall, elapsed: clock.elapsed, lastMonotonic: clock.lastMonotonic)
        #expect(again == clock)
        again.observe(wall: 5_008_999, monotonic: 300)
        #expect(again.isRolledBack)
        #expect(again.now == 1_009_000)
    }

    @Test("Time never runs backwards between fetches, whatever the clocks show", arguments: 1...50)
    func monotonic(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var clock = fetched
        for _ in 0..<200 {
            let before = clock.now
            let wall = Int64.random(in: -100_000...100_000_000, using: &generator)
            let monotonic = Int64.random(in: 0...10_000_000, using: &generator)
            if Bool.random(using: &generator) {
                clock.observe(wall: wall, monotonic: monotonic)
            } else {
                clock.rebooted(wall: wall, monotonic: monotonic)
            }
            #expect(clock.now >= before, "seed \(seed)")
            #expect(clock.isRolledBack == (wall < clock.highestWall), "seed \(seed)")
        }
    }

    @Test("Clocks at the ends of 64 bits do not end the process", arguments: [Int64.min, .max, 0, -1])
    func extremes(value: Int64) {
        for server in [Int64.min, 0, .max] {
            var clock = TrustedClock(serverTime: server, wall: value, monotonic: value)
            for (wall, monotonic) in [(Int64.min, Int64.max), (.max, .min), (0, 0), (.max, .max)] {
                clock.observe(wall: wall, monotonic: monotonic)
                #expect(clock.now >= server)
                clock.rebooted(wall: wall, monotonic: monotonic)
            }
        }
    }
}
