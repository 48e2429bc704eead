/// A command on its way: items decided so far keep their outcome while the next one waits for data.
public struct CommandProgress: Sendable {
    /// The command.
    public let command: Command
    /// One outcome an item; one in all for commands without items.
    public private(set) var outcomes: [Outcome] = []
    /// Every stream the command touched: they are appended all or none.
    public private(set) var streams: Set<StreamRef> = []

    /// A command not begun.
    public init(_ command: Command) { self.command = command }

    fileprivate mutating func finish(_ outcome: Outcome, touched: Set<StreamRef> = []) {
        outcomes.append(outcome)
        streams.formUnion(touched)
    }
}

extension Workspace {
    /// Decides as much of a command as the loaded data allow. Returns what must be loaded before calling again; nil when the
    /// command is decided. `now` is the time of receipt.
    public mutating func advance(_ progress: inout CommandProgress, now: Milliseconds) -> Needs? {
        do throws(Needs) {
            switch progress.command {
            case .push(let account, let items, let isRestore):
                let pusher = FactDecision.Pusher(account: account, isRestore: isRestore)
                while progress.outcomes.count < items.count {
                    try decide(
                        items[progress.outcomes.count], pusher: pusher, source: isRestore ? .restore : .push,
                        progress: &progress, now: now)
                }
            case .learned(let item, let source):
                guard progress.outcomes.isEmpty else { return nil }
                try decide(item, pusher: nil, source: source, progress: &progress, now: now)
            case .notification(let admitted):
                guard progress.outcomes.isEmpty else { return nil }
                try decide(admitted, progress: &progress, now: now)
            case .accountKnown(let account, let hinted):
                while progress.outcomes.count < hinted.count {
                    try bind(hinted[progress.outcomes.count], to: account, progress: &progress, now: now)
                }
                makeKnown(account)
            default:
                guard progress.outcomes.isEmpty else { return nil }
                try decideOther(&progress, now: now)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func decide(
        _ item: Command.Item, pusher: FactDecision.Pusher?, source: Event.Source, progress: inout CommandProgress,
        now: Milliseconds
    ) throws(Needs) {
        switch item {
        case .transaction(let admitted):
            try decide(
                FactDecision.Fact(transaction: admitted.transaction, source: source, evidence: admitted.evidence),
                of: LineageRef(admitted.environment, admitted.transaction.originalTransactionId), pusher: pusher,
                progress: &progress, now: now)
        case .renewalInfo(let admitted):
            let ref = LineageRef(admitted.environment, admitted.renewalInfo.originalTransactionId)
            guard try record(ref).version > 0 else { return progress.finish(.rejected(.unknownLineage)) }
            try decide(
                FactDecision.Fact(renewalInfo: admitted.renewalInfo, source: source, evidence: admitted.evidence),
                of: ref, pusher: pusher, progress: &progress, now: now)
        }
    }

    private mutating func decide(
        _ admitted: AdmittedNotification, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        let id =
            admitted.transaction?.transaction.originalTransactionId
            ?? admitted.renewalInfo?.renewalInfo.originalTransactionId
        guard let id, let environment = admitted.transaction?.environment ?? admitted.renewalInfo?.environment else {
            // Nothing about a lineage: kept in the app's own stream, told from its repetition by the log's dedupe key.
            _ = try state(.app)
            append(
                Event(
                    body: .notification(admitted.notification, nil, nil, tokenIsKnown: false), source: .notification,
                    recordedAt: now, evidence: admitted.evidence), to: .app)
            return progress.finish(
                admitted.innerRejection.map(Outcome.rejected) ?? .recorded, touched: [.app])
        }
        try decide(
            FactDecision.Fact(
                notification: admitted.notification, transaction: admitted.transaction?.transaction,
                renewalInfo: admitted.renewalInfo?.renewalInfo, source: .notification, evidence: admitted.evidence),
            of: LineageRef(environment, id), pusher: nil, progress: &progress, now: now)
    }

    private mutating func decide(
        _ fact: FactDecision.Fact, of ref: LineageRef, pusher: FactDecision.Pusher?,
        progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        // The pusher's own view goes into the answer.
        if let pusher { _ = try state(.account(ref.environment, pusher.account)) }
        let decision = try FactDecision(fact, of: ref, pusher: pusher, now: now, in: self)
        try decision.apply(to: &self)
        let targets = decision.partiesAfter.map { StreamRef.account(ref.environment, $0) }
        progress.finish(
            decision.outcome, touched: Set(targets.isEmpty ? [.lineage(ref.environment, ref.id)] : targets))
    }

    /// A hint comes true (rules.md R7.2).
    private mutating func bind(
        _ ref: LineageRef, to account: AccountID, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        let record = try record(ref)
        guard record.hints.contains(account), let home = home(of: ref, record: record) else {
            return progress.finish(.duplicate)
        }
        try tell(
            ref, .tokenKnown(lineage: ref.id, account: account), source: .account, record: record, home: home,
            joining: account, progress: &progress, now: now)
    }

    /// Appends an event about a lineage to its parties and to somebody who joins them.
    private mutating func tell(
        _ ref: LineageRef, _ body: Event.Body, source: Event.Source, record: LineageRecord, home: StreamRef,
        joining: AccountID?, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        for party in record.parties { _ = try state(.account(ref.environment, party)) }
        _ = try state(home)
        var parties = record.parties
        var past: [Event] = []
        if let joining, !parties.contains(joining) {
            _ = try state(.account(ref.environment, joining))
            past = try history(ref.id, in: home)
            parties = (parties + [joining]).sorted()
        }
        let targets: [StreamRef] = parties.isEmpty ? [home] : parties.map { .account(ref.environment, $0) }
        for target in targets {
            if target.account == joining, !record.parties.contains(target.account) {
                copyPast(past, of: states[home]?.lineages[ref.id], to: target, at: now)
            }
            append(Event(body: body, source: source, recordedAt: now), to: target)
        }
        let lineage = states[targets[0]]?.lineages[ref.id]
        var changed = record
        changed.parties = parties
        changed.hints = lineage?.hints.sorted() ?? []
        changed.isLocked = lineage?.lockedAt != nil
        if changed != record { write(changed, of: ref, for: targets[0]) } else { use(ref, for: targets[0]) }
        progress.finish(.recorded, touched: Set(targets))
    }

    private mutating func decideOther(_ progress: inout CommandProgress, now: Milliseconds) throws(Needs) {
        switch progress.command {
        case .grant(let stream, let wish):
            let known = try state(stream).grants.first { $0.grant.id == wish.id }?.grant
            let grant = wish.granted(from: known?.from ?? now)
            if let known {
                progress.finish(known == grant ? .duplicate : .refused(.grantExists))
            } else if grant.until.map({ $0 <= grant.from }) ?? false {
                progress.finish(.refused(.invalidPeriod))
            } else {
                record(.granted(grant), in: stream, source: .operator, progress: &progress, now: now)
            }
        case .revokeGrant(let stream, let id):
            let grant = try state(stream).grants.first { $0.grant.id == id }
            switch grant {
            case nil: progress.finish(.refused(.unknownGrant))
            case let grant? where grant.revokedAt != nil: progress.finish(.duplicate)
            default: record(.grantRevoked(id: id), in: stream, source: .operator, progress: &progress, now: now)
            }
        case .spend(let stream, let spend):
            try decide(spend, in: stream, progress: &progress, now: now)
        case .erase(let account, let environment):
            try erase(account, in: environment, progress: &progress, now: now)
        case .free(let ref):
            let record = try record(ref)
            guard let home = home(of: ref, record: record) else {
                return progress.finish(.refused(.unknownLineage))
            }
            guard record.isLocked else { return progress.finish(.refused(.notLocked)) }
            try tell(
                ref, .freed(lineage: ref.id), source: .operator, record: record, home: home, joining: nil,
                progress: &progress, now: now)
        case .transfer(let ref, let account):
            try transfer(ref, to: account, progress: &progress, now: now)
        case .push, .learned, .notification, .accountKnown: break
        }
    }

    private mutating func record(
        _ body: Event.Body, in stream: StreamRef, source: Event.Source, progress: inout CommandProgress,
        now: Milliseconds
    ) {
        append(Event(body: body, source: source, recordedAt: now), to: stream)
        progress.finish(.recorded, touched: [stream])
    }

    /// A spend is whole or nothing; only a success is remembered (rules.md R6).
    private mutating func decide(
        _ spend: Spend, in stream: StreamRef, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        let state = try state(stream)
        if let earlier = state.spends[spend.idempotencyKey] {
            // The same answer again for the same content (rules.md R6).
            return progress.finish(earlier == spend ? .recorded : .refused(.idempotencyConflict))
        }
        guard spend.amount > 0 else { return progress.finish(.refused(.invalidAmount)) }
        let catalogs = app.catalogs
        let balances = Balances(ledger: state.ledger, catalogs: catalogs, policies: catalogs.current.policies)
        guard balances.amounts[spend.currency, default: 0] >= spend.amount else {
            return progress.finish(.refused(.insufficientBalance))
        }
        record(.spent(spend), in: stream, source: .account, progress: &progress, now: now)
    }

    private mutating func transfer(
        _ ref: LineageRef, to account: AccountID, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        let record = try record(ref)
        guard let home = home(of: ref, record: record) else { return progress.finish(.refused(.unknownLineage)) }
        guard let lineage = try state(home).lineages[ref.id] else {
            return progress.finish(.refused(.unknownLineage))
        }
        if lineage.lockedAt != nil { return progress.finish(.refused(.locked)) }
        if lineage.isConsumable, lineage.creditedTo != nil { return progress.finish(.refused(.consumable)) }
        if lineage.owner(at: now) == account { return progress.finish(.refused(.alreadyOwner)) }
        try tell(
            ref, .moved(lineage: ref.id, to: account, cause: .operator), source: .operator, record: record, home: home,
            joining: account, progress: &progress, now: now)
    }

    /// Removes the account's view and locks what it owns (rules.md R7).
    private mutating func erase(
        _ account: AccountID, in environment: Environment, progress: inout CommandProgress, now: Milliseconds
    ) throws(Needs) {
        let stream = StreamRef.account(environment, account)
        let state = try state(stream)
        guard state.version > 0, state.erasedAt == nil || !state.lineages.isEmpty else {
            return progress.finish(.duplicate)
        }
        // All that is needed first: an erasure is not left half done.
        for id in state.lineages.keys {
            for party in try record(LineageRef(environment, id)).parties {
                _ = try self.state(.account(environment, party))
            }
            _ = try self.state(.lineage(environment, id))
        }
        var touched: Set<StreamRef> = [stream]
        for (id, lineage) in state.lineages.sorted(by: { $0.key < $1.key }) {
            let ref = LineageRef(environment, id)
            var changed = try record(ref)
            changed.parties.removeAll { $0 == account }
            if lineage.owner(at: .max) == account {
                changed.isLocked = true
                changed.hints = []
                let targets: [StreamRef] =
                    changed.parties.isEmpty
                    ? [.lineage(environment, id)] : changed.parties.map { .account(environment, $0) }
                for target in targets {
                    append(Event(body: .locked(lineage: id), source: .operator, recordedAt: now), to: target)
                }
                touched.formUnion(targets)
            }
            write(changed, of: ref, for: stream)
        }
        append(Event(body: .erased, source: .operator, recordedAt: now), to: stream)
        progress.finish(.recorded, touched: touched)
    }
}
