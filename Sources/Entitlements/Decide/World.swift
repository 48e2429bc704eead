/// A whole app in memory: every stream, every account. Case files and property tests run on it; it uses the same decisions
/// and folds as the service.
public struct World: Sendable {
    private var workspace: Workspace
    private var log: [StreamRef: [Event]] = [:]
    private var notes: [StreamRef: [SigningNote]] = [:]
    private var grantStreams: [String: StreamRef] = [:]
    private var appNotifications: Set<String> = []

    /// A world without events. `known`: accounts that authenticated before the first step.
    public init(app: AppTerms, known: Set<AccountID> = []) {
        workspace = Workspace(app: app)
        for account in known { workspace.makeKnown(account) }
    }

    /// The app.
    public var app: AppTerms { workspace.app }

    // MARK: Steps

    /// A device pushes, or the user restores; one outcome a transaction, renewal infos have none.
    public mutating func push(
        account: AccountID, transactions: [JSONObject], renewalInfos: [JSONObject] = [], isRestore: Bool = false,
        at now: Milliseconds
    ) -> [Outcome] {
        // Whoever pushes has authenticated.
        makeKnown(account, at: now)
        var outcomes: [Outcome] = []
        for payload in transactions {
            do throws(Rejection) {
                let admitted = try app.admit(transaction: payload)
                outcomes += run(
                    .push(account: account, items: [.transaction(admitted)], isRestore: isRestore), at: now)
            } catch {
                outcomes.append(.rejected(error))
            }
        }
        for payload in renewalInfos {
            guard let admitted = try? app.admit(renewalInfo: payload) else { continue }
            _ = run(.push(account: account, items: [.renewalInfo(admitted)], isRestore: isRestore), at: now)
        }
        return outcomes
    }

    /// The App Store tells something; `payload` is the decoded notification.
    public mutating func notify(
        _ payload: JSONObject, transaction: JSONObject?, renewalInfo: JSONObject?, at now: Milliseconds
    ) -> Outcome {
        do throws(Rejection) {
            let admitted = try app.admit(notification: payload, transaction: transaction, renewalInfo: renewalInfo)
            if admitted.transaction == nil, admitted.renewalInfo == nil, admitted.innerRejection == nil,
                !appNotifications.insert(admitted.notification.notificationUUID).inserted
            {
                return .duplicate
            }
            return run(.notification(admitted), at: now)[0]
        } catch {
            return .rejected(error)
        }
    }

    /// An account becomes known; what its tokens name binds by itself (rules.md R7.2).
    public mutating func makeKnown(_ account: AccountID, at now: Milliseconds) {
        guard workspace.knownAccounts[account] != true else { return }
        let hinted = workspace.records.filter { $0.value.hints.contains(account) }.keys
            .sorted { ($0.environment.rawValue, $0.id) < ($1.environment.rawValue, $1.id) }
        _ = run(.accountKnown(account, hinted: hinted), at: now)
    }

    /// The account spends.
    public mutating func spend(
        _ spend: Spend, account: AccountID, environment: Environment, at now: Milliseconds
    ) -> Outcome {
        run(.spend(.account(environment, account), spend), at: now)[0]
    }

    /// An operator gives access.
    public mutating func grant(
        _ wish: GrantWish, account: AccountID, environment: Environment, at now: Milliseconds
    ) -> Outcome {
        let stream = StreamRef.account(environment, account)
        if let other = grantStreams[wish.id], other != stream { return .refused(.grantExists) }
        let outcome = run(.grant(stream, wish), at: now)[0]
        if outcome == .recorded { grantStreams[wish.id] = stream }
        return outcome
    }

    /// An operator takes a grant back.
    public mutating func revokeGrant(id: String, at now: Milliseconds) -> Outcome {
        guard let stream = grantStreams[id] else { return .refused(.unknownGrant) }
        return run(.revokeGrant(stream, id: id), at: now)[0]
    }

    /// The account is erased, in every environment.
    public mutating func erase(_ account: AccountID, at now: Milliseconds) -> Outcome {
        var outcome = Outcome.duplicate
        for environment in Environment.known
        where log[.account(environment, account)] != nil {
            outcome = run(.erase(account, environment), at: now)[0]
        }
        workspace.load(isKnown: false, of: account)
        return outcome
    }

    /// An operator frees or moves a lineage.
    public mutating func run(_ command: Command, at now: Milliseconds) -> [Outcome] {
        var progress = CommandProgress(command)
        while let needs = workspace.advance(&progress, now: now) { supply(needs) }
        for (stream, pending) in workspace.takePending() {
            log[stream, default: []] += pending.events
            notes[stream, default: []] += pending.notes
        }
        return progress.outcomes
    }

    private mutating func supply(_ needs: Workspace.Needs) {
        for stream in needs.streams { workspace.load(AccountState(account: stream.account), of: stream) }
        for lineage in needs.lineages { workspace.load(LineageRecord(), of: lineage) }
        for account in needs.accounts { workspace.load(isKnown: false, of: account) }
        for history in needs.histories {
            let events = (log[history.stream] ?? []).filter { $0.lineage == history.lineage }
            workspace.load(events, of: history)
        }
    }

    // MARK: Questions

    /// A stream's state, with only what was received up to `knownAt`.
    public func state(_ stream: StreamRef, knownAt: Milliseconds? = nil) -> AccountState {
        guard let knownAt else { return workspace.states[stream] ?? AccountState(account: stream.account) }
        return AccountState.fold(
            (log[stream] ?? []).filter { $0.recordedAt <= knownAt },
            notes: (notes[stream] ?? []).filter { $0.recordedAt <= knownAt }, account: stream.account)
    }

    /// The events of a stream.
    public func events(of stream: StreamRef) -> [Event] { log[stream] ?? [] }

    /// The signing notes of a stream.
    public func notes(of stream: StreamRef) -> [SigningNote] { notes[stream] ?? [] }

    private func catalogs(knownAt: Milliseconds?) -> CatalogHistory {
        knownAt.map { app.catalogs.known(at: $0) } ?? app.catalogs
    }

    /// The answer for an account.
    public func snapshot(
        account: AccountID, environment: Environment, at instant: Milliseconds, knownAt: Milliseconds? = nil
    ) -> Snapshot {
        state(.account(environment, account), knownAt: knownAt).snapshot(
            bundleId: app.bundleId, environment: environment, at: instant, catalogs: catalogs(knownAt: knownAt))
    }

    /// What an account's access follows from.
    public func derivation(
        account: AccountID, environment: Environment, knownAt: Milliseconds? = nil
    ) -> Derivation {
        Derivation(
            state: state(.account(environment, account), knownAt: knownAt), catalogs: catalogs(knownAt: knownAt))
    }

    /// Why an account's answer is what it is.
    public func explanation(
        account: AccountID, environment: Environment, at instant: Milliseconds, knownAt: Milliseconds? = nil
    ) -> Explanation {
        let stream = StreamRef.account(environment, account)
        return Explanation(
            state: state(stream, knownAt: knownAt), events: events(of: stream), notes: notes(of: stream),
            catalogs: catalogs(knownAt: knownAt), bundleId: app.bundleId, environment: environment, at: instant,
            knownAt: knownAt)
    }

    /// What happened to an account.
    public func history(account: AccountID, environment: Environment) -> History {
        let stream = StreamRef.account(environment, account)
        return History(account: account, events: events(of: stream), notes: notes(of: stream), catalogs: app.catalogs)
    }

    /// Lineages that nobody owns, ascending (rules.md R7.5).
    public func unclaimed(environment: Environment) -> [String] {
        workspace.records.filter {
            $0.key.environment == environment && $0.value.parties.isEmpty && !$0.value.isLocked && $0.value.version > 0
        }.keys.map(\.id).sorted()
    }
}

extension AccountState {
    /// Folds a stream from its first event. Notes, ascending by their time, take their turn: whether a refund was the newest
    /// word when it came decides what the ledger says of it for ever (rules.md R6).
    public static func fold(_ events: [Event], notes: [SigningNote], account: AccountID) -> AccountState {
        fold(events, notes: notes, onto: AccountState(account: account))
    }

    /// The same, from the state before the first of the events.
    public static func fold(
        _ events: [Event], notes: [SigningNote], onto beginning: AccountState
    ) -> AccountState {
        var state = beginning
        var rest = notes[...]
        for event in events {
            while let note = rest.first, note.recordedAt < event.recordedAt {
                state.apply(note)
                rest.removeFirst()
            }
            state.apply(event)
        }
        for note in rest { state.apply(note) }
        return state
    }
}
