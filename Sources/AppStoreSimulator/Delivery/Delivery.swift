import Entitlements

/// Sends notifications the way the App Store does (notifications.md section 4), and keeps what was sent for the notification
/// history. A pure state machine: it says what to send and when, and is told how it went.
struct Delivery: Sendable {
    /// How one try ended; Apple's words.
    struct Attempt: Sendable, Hashable {
        let date: Milliseconds
        let result: String

        static let success = "SUCCESS"
    }

    /// A notification and its tries.
    struct Entry: Sendable {
        let notification: SignedHappening.Notification
        let signedAt: Milliseconds
        var attempts: [Attempt] = []

        var isDelivered: Bool { attempts.contains { $0.result == Attempt.success } }
    }

    /// A try to be made.
    struct Sending: Sendable, Hashable {
        let entry: Int
        let signedPayload: String
        /// Whether its outcome counts: a copy that is sent besides does not.
        let isCounted: Bool
    }

    /// Waiting times after the first try and each one that follows, in hours.
    static let retryHours: [Milliseconds] = [1, 12, 24, 48, 72]

    /// How long notifications wait that may overtake each other.
    private static let overtaking: ClosedRange<Milliseconds> = 0...2000

    private(set) var entries: [Entry] = []
    var faults = DeliveryFaults()
    private let retries: Bool
    private var random: SeededRandom
    /// What is to be sent, by time and then by number; few at a time.
    private var waiting: [(due: Milliseconds, order: Int64, sending: Sending)] = []
    private var lastOrder: Int64 = 0
    /// Tries that were handed out and not yet reported.
    private(set) var underWay = 0

    /// Sandbox has one try, Production has six.
    init(retries: Bool, seed: UInt64) {
        self.retries = retries
        random = SeededRandom(seed: seed ^ 0xD3)
    }

    /// A notification is to be sent. With no address there is nothing to send, and nothing in the history.
    mutating func add(_ notification: SignedHappening.Notification, signedAt: Milliseconds, now: Milliseconds) {
        entries.append(Entry(notification: notification, signedAt: signedAt))
        let index = entries.count - 1
        guard !random.chance(faults.lose) else {
            // The App Store believes that it tried.
            entries[index].attempts.append(Attempt(date: now, result: "TIMED_OUT"))
            return
        }
        var payload = notification.signedPayload
        if random.chance(faults.corrupt) { payload = corrupted(payload) }
        enqueue(Sending(entry: index, signedPayload: payload, isCounted: true), now: now)
        if random.chance(faults.double) {
            enqueue(Sending(entry: index, signedPayload: payload, isCounted: false), now: now)
        }
    }

    /// What is to be sent now. Each must be reported with ``report(_:_:now:)``.
    mutating func takeDue(at now: Milliseconds) -> [Sending] {
        let due = waiting.filter { $0.due <= now }.sorted { ($0.due, $0.order) < ($1.due, $1.order) }
        waiting.removeAll { $0.due <= now }
        underWay += due.count
        var sendings = due.map(\.sending)
        if faults.reorder { sendings.shuffle(using: &random) }
        return sendings
    }

    /// How a try ended.
    mutating func report(_ sending: Sending, _ result: String, now: Milliseconds) {
        underWay -= 1
        guard sending.isCounted else { return }
        entries[sending.entry].attempts.append(Attempt(date: now, result: result))
        let tries = entries[sending.entry].attempts.count
        guard result != Attempt.success, retries, tries <= Self.retryHours.count else { return }
        let pause = Self.retryHours[tries - 1] * 3_600_000
        // A try later than the first is not spoilt again: it carries what was signed.
        let again = Sending(
            entry: sending.entry, signedPayload: entries[sending.entry].notification.signedPayload, isCounted: true)
        wait(again, until: now + pause)
    }

    /// When something is to be sent next.
    var nextDue: Milliseconds? { waiting.map(\.due).min() }
    /// How many tries are waiting for their time.
    var waitingCount: Int { waiting.count }

    private mutating func enqueue(_ sending: Sending, now: Milliseconds) {
        // Only what waits can be overtaken.
        let delay = faults.delay ?? (faults.reorder ? Self.overtaking : nil)
        let pause = delay.map { Milliseconds.random(in: $0, using: &random) } ?? 0
        wait(sending, until: now + pause)
    }

    private mutating func wait(_ sending: Sending, until due: Milliseconds) {
        lastOrder += 1
        waiting.append((due, lastOrder, sending))
    }

    /// One character of the payload is another one.
    private mutating func corrupted(_ text: String) -> String {
        var bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(of: UInt8(ascii: ".")), first + 1 < bytes.count else { return text }
        let index = Int.random(in: (first + 1)..<bytes.count, using: &random)
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
