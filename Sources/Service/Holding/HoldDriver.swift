import Entitlements
import EventLog
import EventLoop
import Sync

/// Carries out what the hold table of one loop decides: reads, timers, answers. Runs on that loop.
actor HoldDriver {
    /// What a driver needs.
    struct Environment: Sendable {
        let engine: SyncEngine
        let store: EventStore
        let presenter: ViewPresenter
        let desk: AnswerDesk
        let metrics: Metrics
        let log: Log
        let clock: any Clock
    }

    private typealias Table = HoldTable<HeldPoll>

    /// Where it runs.
    nonisolated let loop: EventLoop
    private let environment: Environment
    private let room: HoldRoom
    private var table: Table
    /// What the room counts of this table.
    private var countTold = 0
    private var timer: EventLoop.Timer?
    private var timerInstant: Milliseconds?
    private var retryTimer: EventLoop.Timer?
    private var headsToRead: Set<StreamID> = []
    private var viewsToRead: Set<StreamID> = []
    private var isReading = false
    private var isDraining = false

    /// Views computed at once; the loop pipelines their reads.
    private static let readsAtOnce = 64
    /// The pause after a read failed: the polls stay where they are meanwhile.
    private static let pauseAfterFailure = Duration.seconds(1)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, room: HoldRoom, environment: Environment) {
        self.loop = loop
        self.room = room
        self.environment = environment
        var limits = Table.Limits()
        limits.holds = room.limit
        table = HoldTable(limits: limits)
    }

    /// Polls parked now.
    var count: Int { table.count }

    // MARK: - Coming and going

    /// Parks a poll. Throws `overloaded` if there is no room; while draining the poll is answered at once.
    func park(_ request: PollRequest) throws(Problem) {
        let now = environment.clock.now()
        guard !isDraining else { return answerUnchanged(request.poll, request.cursor) }
        guard room.isFree, table.hasRoom else { throw Problem(.overloaded, retryAfter: Problem.spreadWait) }
        let (id, actions) = table.enter(
            stream: request.poll.key.id, app: request.poll.key.app, seen: request.cursor.order,
            nextChangeAt: request.cursor.nextChangeAt, deadline: now + request.wait, device: request.device,
            watches: request.poll.watches, token: request.poll)
        request.poll.ticket.responder.onClientGone {
            self.assumeIsolated { $0.clientGone(id, request.poll.ticket) }
        }
        perform(actions)
        setTimer()
    }

    private func clientGone(_ id: UInt64, _ ticket: Ticket) {
        table.clientGone(id)
        tellCount()
        environment.metrics.count(.holds, "clientGone")
        environment.desk.left(ticket)
    }

    // MARK: - News

    /// Appends of this process were committed.
    func committed(_ changes: [LaneWriter.Change]) {
        for change in changes {
            count("commit", by: table.holds(of: change.stream).count)
            // A client that saw a later time than the commit's must not be shown an earlier one.
            let seen = table.holds(of: change.stream).map(\.seen.asOf).max()
            if let seen, let view = change.view, seen <= view.order.asOf {
                answer(view)
            } else {
                perform(table.changed(change.stream, version: change.version))
            }
        }
        setTimer()
    }

    /// The tail saw streams move.
    func moved(_ versions: [StreamID: Int64]) {
        for (stream, version) in versions {
            let actions = table.changed(stream, version: version)
            count("tail", by: actions.count)
            perform(actions)
        }
        setTimer()
    }

    /// Another catalog or generation is in force.
    func activated(_ change: LiveTerms.Change) {
        for (app, activation) in change.activations {
            let actions = table.activated(app: app, activation: activation)
            count("activation", by: actions.count)
            perform(actions)
        }
        setTimer()
    }

    /// Streams with parked polls, for the sweep.
    var streams: [StreamID] { table.streams }

    /// What the sweep read. It should never find anything.
    func swept(_ versions: [StreamID: Int64]) {
        for (stream, version) in versions {
            let actions = table.changed(stream, version: version)
            if !actions.isEmpty {
                count("sweep", by: actions.count)
                environment.metrics.count(.alarms, "missedChange")
                environment.log.write(.error, "sweepFoundMissedChange") { $0.member("lane", Int64(stream.lane)) }
            }
            perform(actions)
        }
        setTimer()
    }

    /// No further polls; those here are answered at random instants of the window.
    func drain(over window: Milliseconds) {
        isDraining = true
        let now = environment.clock.now()
        table.drain { _ in now + Int64.random(in: 0...max(0, window)) }
        setTimer()
    }

    // MARK: - Time

    /// Time may have passed: answers what is due.
    func timePassed() {
        let actions = table.timePassed(to: environment.clock.now())
        count("expiry", by: actions.count { if case .evaluate = $0 { true } else { false } })
        perform(actions)
        setTimer()
    }

    private func count(_ cause: String, by count: Int) {
        if count > 0 { environment.metrics.count(.wakes, cause, by: count) }
    }

    private func tellCount() {
        room.count(table.count - countTold)
        countTold = table.count
    }

    /// After each change of the table.
    private func setTimer() {
        tellCount()
        guard let next = table.nextTimer else { return }
        if timer != nil, let timerInstant, timerInstant <= next { return }
        timer?.cancel()
        timerInstant = next
        let delay = max(0, next - environment.clock.now())
        timer = loop.schedule(after: .milliseconds(delay)) { [weak self] in
            self?.assumeIsolated { driver in
                driver.timer = nil
                driver.timePassed()
            }
        }
    }

    // MARK: - Actions

    private func perform(_ actions: [Table.Action]) {
        for action in actions {
            switch action {
            case .readHead(let stream): headsToRead.insert(stream)
            case .evaluate(let stream): viewsToRead.insert(stream)
            case .answerUnchanged(let hold):
                answerUnchanged(hold.token, cursor(of: hold))
                environment.metrics.count(.holds, "unchanged")
            }
        }
        guard !isReading, !headsToRead.isEmpty || !viewsToRead.isEmpty else { return }
        isReading = true
        Task(executorPreference: loop) { await self.read() }
    }

    private func cursor(of hold: Table.Hold) -> Cursor {
        Cursor(order: hold.seen, streamTag: hold.stream.tag, nextChangeAt: hold.nextChangeAt)
    }

    private func answerUnchanged(_ poll: HeldPoll, _ cursor: Cursor) {
        switch poll.wants {
        case .view:
            environment.desk.answer(
                poll.ticket, environment.presenter.unchanged(cursor, closesConnection: isDraining))
        case .updates(let query):
            environment.desk.answer(poll.ticket, query.unchanged(closesConnection: isDraining))
        }
    }

    private func answer(_ view: View) {
        let holds = table.answerable(
            view.stream, order: view.order, nextChangeAt: view.snapshot.nextChangeAt)
        for hold in holds { answer(hold, with: view) }
    }

    private func answer(_ hold: Table.Hold, with view: View) {
        environment.metrics.count(.holds, "changed")
        let ticket = hold.token.ticket
        switch hold.token.wants {
        case .view(let form):
            do {
                environment.desk.answer(
                    ticket,
                    try environment.presenter.answer(view, form, seen: hold.seen, now: environment.clock.now()))
            } catch {
                environment.desk.refuse(ticket, error)
            }
        case .updates(let query):
            // No hold any more: should the client leave meanwhile, the answer goes nowhere.
            ticket.responder.onClientGone {}
            Task(executorPreference: loop) { [environment] in
                do {
                    environment.desk.answer(ticket, try await query.answer(for: hold.token.key, environment.engine))
                } catch {
                    environment.desk.refuse(ticket, error)
                }
            }
        }
    }

    // MARK: - Reads

    private func read() async {
        while !headsToRead.isEmpty || !viewsToRead.isEmpty {
            guard await readHeads(), await readViews() else {
                // The database is away: the polls stay held, and are looked after when it is back.
                retryTimer = loop.schedule(after: Self.pauseAfterFailure) { [weak self] in
                    self?.assumeIsolated { driver in
                        driver.isReading = false
                        driver.perform([])
                    }
                }
                return
            }
        }
        isReading = false
    }

    private func readHeads() async -> Bool {
        guard !headsToRead.isEmpty else { return true }
        let streams = headsToRead
        headsToRead = []
        guard let versions = try? await environment.store.versions(of: Array(streams)) else {
            headsToRead.formUnion(streams)
            return false
        }
        for stream in streams {
            let version = versions[stream] ?? 0
            if table.holds(of: stream).contains(where: { $0.seen.version > version }) {
                viewsToRead.insert(stream)
            }
            perform(table.headRead(stream, version: version))
        }
        setTimer()
        return true
    }

    private func readViews() async -> Bool {
        let streams = viewsToRead.prefix(Self.readsAtOnce)
        viewsToRead.subtract(streams)
        let failed = await withTaskGroup(of: (StreamID, View?).self) { group in
            for stream in streams {
                guard let hold = table.holds(of: stream).max(by: { $0.seen.asOf < $1.seen.asOf }) else { continue }
                group.addTask { [environment] in
                    (stream, try? await Self.view(of: hold.token.key, seen: hold.seen, environment))
                }
            }
            var failed: Set<StreamID> = []
            for await (stream, view) in group {
                if let view { show(view) } else { failed.insert(stream) }
            }
            return failed
        }
        viewsToRead.formUnion(failed)
        setTimer()
        return failed.isEmpty
    }

    private static func view(of key: StreamKey, seen: ViewOrder, _ environment: Environment) async throws -> View {
        guard let app = environment.engine.terms.app(number: key.app) else {
            throw SyncError(.unknownApp, "app \(key.app) is not served any more")
        }
        return try await environment.engine.view(
            of: key.account, environment: key.environment, app: app, seen: seen)
    }

    /// Answers with a view that was read, also those that claim to have seen more than there is: acknowledged events were lost
    /// in a failover. Waiting for a position that may not come would be for ever (engineering: long-poll).
    private func show(_ view: View) {
        let ahead = table.holds(of: view.stream).filter { $0.seen.isAhead(of: view.order) }
        for hold in ahead {
            table.clientGone(hold.id)
            environment.metrics.count(.alarms, "cursorAhead")
            environment.log.write(.error, "cursorAheadOfLog") { $0.member("lane", Int64(view.stream.lane)) }
            answer(hold, with: view)
        }
        answer(view)
    }
}
