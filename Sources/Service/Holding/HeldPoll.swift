import EventLog
import Sync

/// A parked request: all that is needed to answer it later. Small: there may be a hundred thousand of them.
struct HeldPoll: Sendable {
    /// To answer with.
    let ticket: Ticket
    /// Whose view it waits for.
    let key: StreamKey
    /// How it wants the view.
    let form: ViewForm
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
}
