import Entitlements
import EventLog
import Sync

/// A parked request: all that is needed to answer it later. Small: there may be a hundred thousand of them.
struct HeldPoll: Sendable {
    /// To answer with.
    let ticket: Ticket
    /// Whose news it waits for.
    let key: StreamKey
    /// What it wants to be told.
    let wants: Wanted

    /// What a parked request is answered with.
    enum Wanted: Sendable {
        /// The view, in that form, as soon as it is another one.
        case view(ViewForm)
        /// The events behind a number, as soon as there are some.
        case updates(UpdatesQuery)
    }
}

/// A request that wants to be parked.
struct PollRequest: Sendable {
    let poll: HeldPoll
    /// What its client has seen.
    let cursor: Cursor
    /// How long it may be parked, in milliseconds.
    let wait: Int64
    /// The device, if it said which.
    let device: UInt64?

    /// Seconds that a poll may be held.
    static let waits: ClosedRange<Int64> = 1...240

    /// A little less than that many seconds, in milliseconds. Without the spread, all polls that a restart cut would come back
    /// at once, each time.
    static func spread(_ seconds: Int64) -> Milliseconds {
        Int64(Double(seconds * 1000) * Double.random(in: 0.85...1))
    }
}

extension HeldPoll {
    /// What the hold table has to watch for it.
    var watches: HoldTable<HeldPoll>.Watched {
        switch wants {
        case .view: .view
        case .updates: .events
        }
    }
}
