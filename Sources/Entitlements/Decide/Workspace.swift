/// The working set of decisions about one app: what was loaded, and what is to be appended. Commands are decided one after
/// the other against it, so a batch sees its own effects.
public struct Workspace: Sendable {
    /// The app.
    public var app: AppTerms
    /// States by stream, with the pending events folded.
    public private(set) var states: [StreamRef: AccountState] = [:]
    /// The directory's rows.
    public private(set) var records: [LineageRef: LineageRecord] = [:]
    /// Accounts asked about: whether they are known.
    public private(set) var knownAccounts: [AccountID: Bool] = [:]
    /// Past events of a lineage in a stream, loaded for copying.
    private var histories: [History: [Event]] = [:]
    /// What is to be appended, by stream.
    public private(set) var pending: [StreamRef: Pending] = [:]
    /// Directory rows that pending events rest on, each with one of the streams that get them.
    public private(set) var usedRecords: [LineageRef: UsedRecord] = [:]

    /// A lineage's past in a stream.
    public struct History: Sendable, Hashable {
        /// The stream that has it.
        public var stream: StreamRef
        /// The lineage.
        public var lineage: String
    }

    /// What one stream gets.
    public struct Pending: Sendable {
        /// In order.
        public var events: [Event] = []
        /// Signing dates of copies that say nothing new.
        public var notes: [SigningNote] = []
        /// The version the stream had when it was loaded.
        public var loadedVersion: Int64
    }

    /// A directory row that pending events rest on.
    public struct UsedRecord: Sendable {
        /// A stream whose append must fail if the row has moved.
        public var stream: StreamRef
        /// The row's version when it was loaded.
        public var loadedVersion: Int64
        /// Whether it is to be written.
        public var isChanged: Bool
    }

    /// What must be loaded before a decision.
    public struct Needs: Sendable, Error {
        /// States.
        public var streams: Set<StreamRef> = []
        /// Directory rows.
        public var lineages: Set<LineageRef> = []
        /// Whether these accounts are known.
        public var accounts: Set<AccountID> = []
        /// Past events.
        public var histories: Set<History> = []

        /// Nothing.
        public init(
            streams: Set<StreamRef> = [], lineages: Set<LineageRef> = [], accounts: Set<AccountID> = [],
            histories: Set<History> = []
        ) {
            self.streams = streams
            self.lineages = lineages
            self.accounts = accounts
            self.histories = histories
        }

        /// Whether nothing is missing.
        public var isEmpty: Bool {
            streams.isEmpty && lineages.isEmpty && accounts.isEmpty && histories.isEmpty
        }
    }

    /// A working set in which nothing is loaded.
    public init(app: AppTerms) { self.app = app }

    // MARK: Loading

    /// Adds a stream's state; a new stream has an empty one.
    public mutating func load(_ state: AccountState, of stream: StreamRef) { states[stream] = state }
    /// Adds a directory row; `LineageRecord()` when there is none.
    public mutating func load(_ record: LineageRecord, of lineage: LineageRef) { records[lineage] = record }
    /// Adds whether an account is known.
    public mutating func load(isKnown: Bool, of account: AccountID) { knownAccounts[account] = isKnown }
    /// Adds the past events of a lineage in a stream.
    public mutating func load(_ events: [Event], of history: History) { histories[history] = events }

    // MARK: Reading, or saying what is missing

    func state(_ stream: StreamRef) throws(Needs) -> AccountState {
        guard let state = states[stream] else { throw Needs(streams: [stream]) }
        return state
    }

    func record(_ lineage: LineageRef) throws(Needs) -> LineageRecord {
        guard let record = records[lineage] else { throw Needs(lineages: [lineage]) }
        return record
    }

    func isKnown(_ account: AccountID) throws(Needs) -> Bool {
        guard let isKnown = knownAccounts[account] else { throw Needs(accounts: [account]) }
        return isKnown
    }

    /// Past events of a lineage in a stream, those still pending included.
    func history(_ lineage: String, in stream: StreamRef) throws(Needs) -> [Event] {
        guard let past = histories[History(stream: stream, lineage: lineage)] else {
            guard let pending = pending[stream], pending.loadedVersion == 0 else {
                throw Needs(histories: [History(stream: stream, lineage: lineage)])
            }
            return pending.events.filter { $0.lineage == lineage }
        }
        return past + (pending[stream]?.events.filter { $0.lineage == lineage } ?? [])
    }

    // MARK: Writing

    // States are changed where they are: a copy beside them would make the change copy all that they hold.

    mutating func append(_ event: Event, to stream: StreamRef) {
        var event = event
        // A stream's times never fall, so that "known at" is a prefix.
        event.recordedAt = max(event.recordedAt, states[stream]?.lastRecordedAt ?? .min)
        pending[stream, default: Pending(loadedVersion: states[stream]?.version ?? 0)].events.append(event)
        states[stream, default: AccountState(account: stream.account)].apply(event)
    }

    mutating func note(_ note: SigningNote, in stream: StreamRef) {
        guard let state = states[stream].map({ (version: $0.version, last: $0.lastRecordedAt) }) else { return }
        var note = note
        note.recordedAt = max(note.recordedAt, state.last)
        pending[stream, default: Pending(loadedVersion: state.version)].notes.append(note)
        states[stream]?.apply(note)
    }

    /// Events about a lineage go to `stream` because of what the directory says.
    mutating func use(_ lineage: LineageRef, for stream: StreamRef) {
        guard usedRecords[lineage] == nil else { return }
        usedRecords[lineage] = UsedRecord(
            stream: stream, loadedVersion: records[lineage]?.version ?? 0, isChanged: false)
    }

    mutating func write(_ record: LineageRecord, of lineage: LineageRef, for stream: StreamRef) {
        use(lineage, for: stream)
        let loaded = usedRecords[lineage]?.loadedVersion ?? 0
        usedRecords[lineage]?.isChanged = true
        records[lineage] = record
        records[lineage]?.version = loaded + 1
    }

    mutating func makeKnown(_ account: AccountID) { knownAccounts[account] = true }

    /// Hands over what is to be appended; what is loaded stays.
    mutating func takePending() -> [StreamRef: Pending] {
        defer {
            pending = [:]
            usedRecords = [:]
            histories = [:]
        }
        return pending
    }
}

/// The signing date of a copy that says nothing new: kept, because it orders later copies (rules.md R1).
public struct SigningNote: Sendable, Hashable {
    /// The copy.
    public var object: SignedObject
    /// When it came.
    public var recordedAt: Milliseconds

    /// A note.
    public init(object: SignedObject, recordedAt: Milliseconds) {
        self.object = object
        self.recordedAt = recordedAt
    }

    /// What was signed again.
    public enum SignedObject: Sendable, Hashable {
        case transaction(Transaction)
        case renewalInfo(RenewalInfo)

        /// The same object signed at another time; nil: without a date.
        public func signed(at date: Milliseconds?) -> SignedObject {
            switch self {
            case .transaction(var transaction):
                transaction.signedDate = date
                return .transaction(transaction)
            case .renewalInfo(var renewalInfo):
                renewalInfo.signedDate = date
                return .renewalInfo(renewalInfo)
            }
        }
    }
}

extension AccountState {
    /// Takes a signing date into account: no event, no new version.
    public mutating func apply(_ note: SigningNote) {
        switch note.object {
        case .transaction(let transaction): noteSigningDate(of: transaction)
        case .renewalInfo(let renewalInfo): noteSigningDate(of: renewalInfo)
        }
    }
}

extension Event {
    /// The lineage it is about, if it is about one.
    public var lineage: String? {
        switch body {
        case .transaction(let transaction, _): transaction.originalTransactionId
        case .renewalInfo(let renewalInfo): renewalInfo.originalTransactionId
        case .notification(_, let transaction, let renewalInfo, _):
            transaction?.originalTransactionId ?? renewalInfo?.originalTransactionId
        case .claimed(let lineage, _, _), .moved(let lineage, _, _), .tokenKnown(let lineage, _),
            .locked(let lineage), .freed(let lineage):
            lineage
        case .granted, .grantRevoked, .spent, .erased: nil
        }
    }
}
