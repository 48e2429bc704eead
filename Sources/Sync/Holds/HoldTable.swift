public import Entitlements
public import EventLog

/// The parked polls of one loop. No I/O: events go in, actions come out; the loop's driver carries them out.
///
/// No wake-up is lost (engineering: long-poll, "No lost wake-up"): a hold is entered first, then the stream's head is read;
/// whatever becomes visible after that read is told by own commit, hint, tail or sweep, and finds the hold here.
public struct HoldTable<Token: Sendable>: Sendable {
    /// Names one hold.
    public typealias ID = UInt64

    /// A parked poll.
    public struct Hold: Sendable {
        /// Its name.
        public let id: ID
        /// The stream it watches.
        public let stream: StreamID
        /// The app, for catalog changes.
        public let app: Int16
        /// What its client has seen.
        public let seen: ViewOrder
        /// When what it has seen changes by time alone.
        public var nextChangeAt: Milliseconds?
        /// When it is answered without news.
        public var deadline: Milliseconds
        /// The device, if it said which; a newer hold of the same device takes over.
        public let device: UInt64?
        /// What it waits for.
        public let watches: Watched
        /// The driver's handle of the request.
        public let token: Token
    }

    /// What a hold waits for.
    public enum Watched: Sendable {
        /// Another answer: by an event, by time, or by another catalog.
        case view
        /// An event.
        case events
    }

    /// What the driver must do.
    public enum Action: Sendable {
        /// Read the stream's head and tell `headRead`.
        case readHead(StreamID)
        /// Compute the stream's view and answer those holds that have seen less.
        case evaluate(StreamID)
        /// Answer: nothing new.
        case answerUnchanged(Hold)
    }

    /// Bounds of the table.
    public struct Limits: Sendable {
        /// Holds in all.
        public var holds = 100_000
        /// Holds of one stream; the oldest yields.
        public var perStream = 16
        /// Heads remembered for polls that come back.
        public var heads = 200_000

        /// The defaults.
        public init() {}
    }

    private let limits: Limits
    private var holds: [ID: Hold] = [:]
    private var byStream: [StreamID: [ID]] = [:]
    /// Versions as told by commits, tail and reads; valid only for streams entered here before they were read.
    private var heads: [StreamID: Int64] = [:]
    private var deadlines = DeadlineQueue<ID>()
    private var boundaries = DeadlineQueue<ID>()
    private var lastID: ID = 0
    private var isDraining = false

    /// An empty table.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Polls parked now.
    public var count: Int { holds.count }
    /// Streams with a parked poll.
    public var streams: [StreamID] { Array(byStream.keys) }
    /// When `timePassed` is due next.
    public var nextTimer: Milliseconds? {
        switch (deadlines.earliest, boundaries.earliest) {
        case (let deadline?, let boundary?): min(deadline, boundary)
        case (let deadline, let boundary): deadline ?? boundary
        }
    }
    /// Whether another hold is taken.
    public var hasRoom: Bool { holds.count < limits.holds && !isDraining }

    /// The holds of a stream.
    public func holds(of stream: StreamID) -> [Hold] { (byStream[stream] ?? []).compactMap { holds[$0] } }

    /// Parks a poll. The caller has seen `hasRoom`.
    public mutating func enter(
        stream: StreamID, app: Int16, seen: ViewOrder, nextChangeAt: Milliseconds?, deadline: Milliseconds,
        device: UInt64?, watches: Watched = .view, token: Token
    ) -> (id: ID, actions: [Action]) {
        lastID += 1
        let id = lastID
        var actions: [Action] = []
        let others = byStream[stream] ?? []
        let yielding =
            others.first { device != nil && holds[$0]?.device == device }
            ?? (others.count >= limits.perStream ? others.first : nil)
        if let yielding, let old = remove(yielding) { actions.append(.answerUnchanged(old)) }
        holds[id] = Hold(
            id: id, stream: stream, app: app, seen: seen, nextChangeAt: nextChangeAt, deadline: deadline,
            device: device, watches: watches, token: token)
        byStream[stream, default: []].append(id)
        deadlines.set(id, at: deadline)
        if let nextChangeAt { boundaries.set(id, at: nextChangeAt) }
        if let head = heads[stream] {
            if head > seen.version { actions.append(.evaluate(stream)) }
        } else {
            actions.append(.readHead(stream))
        }
        return (id, actions)
    }

    /// The head read after a hold was entered.
    public mutating func headRead(_ stream: StreamID, version: Int64) -> [Action] {
        guard byStream[stream] != nil else { return [] }
        return changed(stream, version: version)
    }

    /// A stream is known to have that version: by own commit, tail, read or sweep.
    public mutating func changed(_ stream: StreamID, version: Int64) -> [Action] {
        let isHeld = byStream[stream] != nil
        guard isHeld || heads[stream] != nil else { return [] }
        if heads.count >= limits.heads, heads[stream] == nil { heads.removeAll(keepingCapacity: true) }
        heads[stream] = max(heads[stream] ?? 0, version)
        return holds(of: stream).contains { $0.seen.version < version } ? [.evaluate(stream)] : []
    }

    /// Another catalog or generation is in force for an app; nil: for all.
    public mutating func activated(app: Int16?, activation: Int64) -> [Action] {
        var streams: Set<StreamID> = []
        for hold in holds.values where app == nil || hold.app == app {
            if hold.watches == .view, hold.seen.activation < activation { streams.insert(hold.stream) }
        }
        return streams.map(Action.evaluate)
    }

    /// A view was computed: takes out the holds that have seen less. The others learn when it changes next.
    public mutating func answerable(
        _ stream: StreamID, order: ViewOrder, nextChangeAt: Milliseconds?
    ) -> [Hold] {
        if byStream[stream] != nil { heads[stream] = max(heads[stream] ?? 0, order.version) }
        var answered: [Hold] = []
        for hold in holds(of: stream) {
            if hold.isAnswered(by: order) {
                if let hold = remove(hold.id) { answered.append(hold) }
            } else if let nextChangeAt, hold.watches == .view, order.version == hold.seen.version {
                boundaries.set(hold.id, at: nextChangeAt)
                holds[hold.id]?.nextChangeAt = nextChangeAt
            }
        }
        return answered
    }

    /// Time has come to `now`: unanswered deadlines and boundaries that were reached.
    public mutating func timePassed(to now: Milliseconds) -> [Action] {
        var actions: [Action] = []
        for id in deadlines.popDue(at: now) {
            if let hold = remove(id) { actions.append(.answerUnchanged(hold)) }
        }
        var streams: Set<StreamID> = []
        for id in boundaries.popDue(at: now) {
            if let hold = holds[id] { streams.insert(hold.stream) }
        }
        return actions + streams.map(Action.evaluate)
    }

    /// The client went away.
    public mutating func clientGone(_ id: ID) { _ = remove(id) }

    /// No further holds; those here are answered at instants the caller spreads over the drain's window.
    public mutating func drain(until instants: (ID) -> Milliseconds) {
        isDraining = true
        for id in holds.keys {
            let instant = min(instants(id), holds[id]?.deadline ?? .max)
            holds[id]?.deadline = instant
            deadlines.set(id, at: instant)
        }
    }

    private mutating func remove(_ id: ID) -> Hold? {
        guard let hold = holds.removeValue(forKey: id) else { return nil }
        deadlines.remove(id)
        boundaries.remove(id)
        byStream[hold.stream]?.removeAll { $0 == id }
        if byStream[hold.stream]?.isEmpty == true { byStream[hold.stream] = nil }
        return hold
    }
}

extension HoldTable.Hold {
    /// Whether a view is what it waits for.
    fileprivate func isAnswered(by order: ViewOrder) -> Bool {
        switch watches {
        case .view: order.isAhead(of: seen) || nextChangeAt.map { $0 <= order.asOf } ?? false
        case .events: order.version > seen.version
        }
    }
}
