/// One signed fact on its way into the streams of its lineage: planned without touching anything, then applied.
struct FactDecision {
    /// The fact.
    struct Fact {
        var notification: StoreNotification?
        var transaction: Transaction?
        var renewalInfo: RenewalInfo?
        var source: Event.Source
        var evidence: Evidence?
    }

    /// Who brought it, if a device did, and whether by the user's explicit wish.
    struct Pusher {
        var account: AccountID
        var isRestore: Bool
    }

    let ref: LineageRef
    let fact: Fact
    let pusher: Pusher?
    let now: Milliseconds

    private(set) var record: LineageRecord
    /// The stream that has the lineage's past; nil when it has none.
    private(set) var home: StreamRef?
    /// The lineage as it will be.
    private(set) var lineage: Lineage
    private(set) var events: [Event.Body] = []
    private(set) var notes: [SigningNote.SignedObject] = []
    private(set) var isNews = false
    private(set) var refusal: Outcome.TransferRefusal?
    /// Former parties, and every owner that the fact or the push makes one. Who owned it before and is no party was erased:
    /// old evidence must not bring that account its payloads back (rules.md R7).
    private(set) var partiesAfter: [AccountID] = []
    /// Who owns the lineage when, after this.
    private var timeline: [OwnerSpan] = []
    private let tokenIsKnown: Bool
    /// Who owned the lineage when, before this.
    private let ownersBefore: Set<OwnerSpan>

    /// Plans. Throws what must be loaded first.
    init(
        _ fact: Fact, of ref: LineageRef, pusher: Pusher?, now: Milliseconds, in workspace: Workspace
    ) throws(Workspace.Needs) {
        self.fact = fact
        self.ref = ref
        self.pusher = pusher
        self.now = now
        record = try workspace.record(ref)
        home = workspace.home(of: ref, record: record)
        lineage =
            try home.map { stream throws(Workspace.Needs) in try workspace.state(stream) }?.lineages[ref.id]
            ?? Lineage(id: ref.id)
        ownersBefore = Set(lineage.ownerTimeline())
        // Their streams take the event too.
        for party in record.parties { _ = try workspace.state(.account(ref.environment, party)) }
        if let token = fact.transaction?.appAccountToken, token != pusher?.account {
            tokenIsKnown = try workspace.isKnown(token)
        } else {
            tokenIsKnown = fact.transaction?.appAccountToken != nil
        }
        planFact(in: workspace)
        if let pusher { try planOwnership(for: pusher, in: workspace) }
        timeline = lineage.ownerTimeline()
        let made = timeline.filter { !ownersBefore.contains($0) }
        partiesAfter = Set(record.parties).union(made.compactMap(\.owner)).sorted()
        // Accounts that become parties by a token in the fact.
        for party in partiesAfter where !record.parties.contains(party) {
            _ = try workspace.state(.account(ref.environment, party))
            if let home { _ = try workspace.history(ref.id, in: home) }
        }
    }

    /// Whether the same notification was seen before.
    var isRepeatedNotification: Bool {
        fact.notification.map { lineage.notifications.contains($0.notificationUUID) && !isNews } ?? false
    }

    private mutating func planFact(in workspace: Workspace) {
        let copies = fact.transaction.flatMap { lineage.transactions[$0.transactionId]?.copies } ?? []
        let novelty = fact.transaction.map { copies.novelty(of: TransactionCopy($0, learnedAt: now)) } ?? .nothing
        let renewalNovelty =
            fact.renewalInfo.map { lineage.renewals.novelty(of: RenewalCopy($0, learnedAt: now)) } ?? .nothing
        if let notification = fact.notification {
            // The envelope is a fact of its own, by its UUID.
            isNews = !lineage.notifications.contains(notification.notificationUUID)
        } else {
            isNews =
                novelty.isNews || renewalNovelty.isNews
                || datesChangeAnswers(novelty, renewalNovelty, in: workspace)
        }
        if isNews {
            let body: Event.Body? =
                if let notification = fact.notification {
                    .notification(notification, fact.transaction, fact.renewalInfo, tokenIsKnown: tokenIsKnown)
                } else if let transaction = fact.transaction {
                    .transaction(transaction, tokenIsKnown: tokenIsKnown)
                } else {
                    fact.renewalInfo.map(Event.Body.renewalInfo)
                }
            if let body { plan(body) }
        } else if fact.notification == nil {
            if novelty == .date, let transaction = fact.transaction { notes.append(.transaction(transaction)) }
            if renewalNovelty == .date, let renewal = fact.renewalInfo { notes.append(.renewalInfo(renewal)) }
        }
    }

    /// A signing date alone can move an upgrade's end or let grace count: then it is news, or clients would not be told.
    private func datesChangeAnswers(_ novelty: Novelty, _ renewalNovelty: Novelty, in workspace: Workspace) -> Bool {
        guard novelty == .date || renewalNovelty == .date, let home, var state = workspace.states[home] else {
            return false
        }
        let before = Derivation(state: state, catalogs: workspace.app.catalogs)
        if novelty == .date, let transaction = fact.transaction { state.noteSigningDate(of: transaction) }
        if renewalNovelty == .date, let renewalInfo = fact.renewalInfo { state.noteSigningDate(of: renewalInfo) }
        return Derivation(state: state, catalogs: workspace.app.catalogs).intervals() != before.intervals()
    }

    private mutating func plan(_ body: Event.Body) {
        events.append(body)
        var scratch = AccountState(account: .nobody)
        scratch.lineages[ref.id] = lineage
        scratch.apply(Event(body: body, source: fact.source, recordedAt: now))
        lineage = scratch.lineages[ref.id] ?? lineage
    }

    /// Claim of what is nobody's, restore of what is somebody else's (rules.md R7.3, R7.4).
    private mutating func planOwnership(for pusher: Pusher, in workspace: Workspace) throws(Workspace.Needs) {
        guard let transaction = fact.transaction else { return }
        if lineage.isUnclaimed {
            _ = try workspace.state(.account(ref.environment, pusher.account))
            plan(.claimed(lineage: ref.id, transactionId: transaction.transactionId, by: pusher.account))
            return
        }
        guard pusher.isRestore, lineage.owner(at: now) != pusher.account else { return }
        refusal = try transferRefusal(in: workspace)
        if refusal == nil { plan(.moved(lineage: ref.id, to: pusher.account, cause: .restore)) }
    }

    private func transferRefusal(in workspace: Workspace) throws(Workspace.Needs) -> Outcome.TransferRefusal? {
        if lineage.lockedAt != nil { return .locked }
        if lineage.isConsumable { return .consumable }
        let policies = workspace.app.catalogs.current.policies
        switch policies.transfer {
        case .never: return .transferPolicy
        case .ifInactive where try givesAccessNow(in: workspace): return .transferPolicy
        case .ifInactive, .onRestore: break
        }
        let recent = lineage.moves.count { $0.cause == .restore && $0.at > now - 30 * Time.day }
        return recent >= policies.transferLimit ? .transferLimit : nil
    }

    private func givesAccessNow(in workspace: Workspace) throws(Workspace.Needs) -> Bool {
        guard let owner = lineage.owner(at: now) else { return false }
        var state = try workspace.state(.account(ref.environment, owner))
        state.lineages[ref.id] = lineage
        return Derivation(state: state, catalogs: workspace.app.catalogs).grantors.contains {
            $0.transaction?.originalTransactionId == ref.id && $0.isActive(at: now)
        }
    }

    /// Appends what was planned, to every party's stream or, while there is none, to the lineage's own.
    func apply(to workspace: inout Workspace) throws(Workspace.Needs) {
        let parties = partiesAfter
        let past =
            try home.map { (stream) throws(Workspace.Needs) in
                parties == record.parties ? [] : try workspace.history(ref.id, in: stream)
            } ?? []
        let former = home.flatMap { workspace.states[$0]?.lineages[ref.id] }
        let targets: [StreamRef] =
            parties.isEmpty
            ? [.lineage(ref.environment, ref.id)] : parties.map { .account(ref.environment, $0) }
        for target in targets {
            if case .account(_, let account) = target, !record.parties.contains(account) {
                workspace.copyPast(past, of: former, to: target, at: now)
            }
            for body in events {
                workspace.append(
                    Event(
                        body: body, source: fact.source, recordedAt: now, evidence: body.isSigned ? fact.evidence : nil),
                    to: target)
            }
            for object in notes { workspace.note(SigningNote(object: object, recordedAt: now), in: target) }
        }
        var changed = record
        changed.parties = parties
        changed.hints = lineage.hints.sorted()
        // While nobody owns it, each fact moves the row too: whoever claims the lineage meanwhile compares the row alone, and would
        // take a past without this fact.
        let isUnowned = parties.isEmpty && !(events.isEmpty && notes.isEmpty)
        if changed != record || record.version == 0 || isUnowned {
            workspace.write(changed, of: ref, for: targets[0])
        } else if !events.isEmpty {
            workspace.use(ref, for: targets[0])
        }
    }

    /// What a device is told.
    var outcome: Outcome {
        guard let pusher else {
            if isRepeatedNotification || (events.isEmpty && fact.notification == nil) { return .duplicate }
            return lineage.lockedAt == nil && timeline.isEmpty ? .unclaimed : .recorded
        }
        let instant = max(now, fact.transaction?.purchaseDate ?? now)
        // A restore that moved it did what was asked, even if another account's period is to come.
        let hasMoved = pusher.isRestore && timeline.owner(at: now) == pusher.account
        guard hasMoved || timeline.owner(at: instant) == pusher.account else {
            return .belongsToAnotherAccount(refusal ?? (lineage.lockedAt == nil ? nil : .locked))
        }
        return events.isEmpty ? .duplicate : .recorded
    }
}

extension Event {
    /// The same event in another stream: known there from now on.
    func copied(at now: Milliseconds) -> Event {
        var copy = self
        copy.recordedAt = now
        return copy
    }
}

extension Event.Body {
    /// Whether signed bytes stand behind it.
    public var isSigned: Bool {
        switch self {
        case .transaction, .renewalInfo, .notification: true
        default: false
        }
    }
}

extension Workspace {
    /// The stream that has a lineage's past: any party's, else its own; nil when the directory has none.
    func home(of ref: LineageRef, record: LineageRecord) -> StreamRef? {
        if let party = record.parties.first { return .account(ref.environment, party) }
        return record.version == 0 ? nil : .lineage(ref.environment, ref.id)
    }
}
