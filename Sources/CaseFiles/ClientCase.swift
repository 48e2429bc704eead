public import Entitlements

/// A case for the client alone: a cache, two clocks and what the client must answer (rules.md R9, R11).
public struct ClientCase: Sendable {
    /// What a fetch brings.
    public struct Fetched: Sendable {
        /// The server's time.
        public let serverTime: Milliseconds
        /// The one entitlement asked about.
        public let entitlement: CachedEntitlement
    }

    /// What happens on the device.
    public enum Event: String, Sendable, CaseIterable {
        case fetch, fetchFailed, emptyRead, purchaseCancelled, ask, timer, start, reboot, switchAccount
    }

    /// One step on the device: its clocks and what happens.
    public struct Tick: Sendable {
        /// What the wall clock shows.
        public let wall: Milliseconds
        /// What the monotonic clock shows.
        public let monotonic: Milliseconds
        /// What happens.
        public let event: Event
        /// What a fetch brings; nil when there is nothing to bring.
        public let fetched: Fetched?
    }

    /// What the client must answer after a step.
    public struct Expectation: Sendable {
        /// The step, from 0.
        public let step: Int
        /// The answer.
        public let access: ClientAnswer.Access
        /// The whole set of flags; nil when the case does not say.
        public let flags: Set<ClientAnswer.Flag>?
    }

    /// Its short name.
    public let id: String
    /// What it is about.
    public let title: String
    /// The app's policies.
    public let policies: Policies
    /// What happens, in order.
    public let ticks: [Tick]
    /// What must be answered.
    public let expectations: [Expectation]

    /// Reads a case. Throws `DocumentError` at the first mistake.
    public init(_ document: JSONDocument, defaults: CaseDefaults) throws(DocumentError) {
        let fields = try document.root.fields(
            required: ["id", "clockTrace", "expect"], optional: ["title", "why", "policies", "snapshot"])
        id = try fields.required("id").identifier()
        title = try fields["title"]?.text() ?? ""
        _ = try fields["why"]?.text(limit: 100_000)
        let base = defaults.catalog.policies
        policies =
            try fields["policies"].map { (node) throws(DocumentError) in try Policies(node, defaults: base) } ?? base
        let usual = try fields.present("snapshot").map { (node) throws(DocumentError) in try Fetched(node) }
        var ticks: [Tick] = []
        for node in try fields.required("clockTrace").elements(limit: CaseLimits.steps) {
            ticks.append(try Tick(node, usual: usual))
        }
        var expectations: [Expectation] = []
        for node in try fields.required("expect").expectations() {
            expectations.append(try Expectation(node, steps: ticks.count))
        }
        self.ticks = ticks
        self.expectations = expectations
    }
}

extension ClientCase.Fetched {
    fileprivate init(_ node: JSONNode) throws(DocumentError) {
        let fields = try node.fields(required: ["serverTime", "intervals"], optional: ["willRenew", "finalEnd"])
        serverTime = try fields.required("serverTime").instant()
        entitlement = CachedEntitlement(
            intervals: try fields.required("intervals").intervals().union(),
            willRenew: try fields.present("willRenew")?.bool(),
            endIsFinal: try fields.present("finalEnd")?.bool() ?? false)
    }
}

extension ClientCase.Tick {
    fileprivate init(_ node: JSONNode, usual: ClientCase.Fetched?) throws(DocumentError) {
        let fields = try node.fields(required: ["wall", "monotonic", "event"], optional: ["snapshot"])
        wall = try fields.required("wall").instant()
        monotonic = try fields.required("monotonic").integer(in: 0...Int64.max)
        event = try fields.required("event").word()
        let own = try fields.present("snapshot").map { (node) throws(DocumentError) in try ClientCase.Fetched(node) }
        if own != nil, event != .fetch, let node = fields["snapshot"] {
            throw node.error(.invalidValue, "only a \"fetch\" brings a snapshot; remove this")
        }
        fetched = event == .fetch ? own ?? usual : nil
    }
}

extension ClientCase.Expectation {
    fileprivate init(_ node: JSONNode, steps: Int) throws(DocumentError) {
        let fields = try node.fields(required: ["step", "answer"], optional: ["flags"])
        let number = try fields.required("step")
        guard steps > 0 else { throw number.error(.outOfRange, "the clockTrace has no steps; add the one meant here") }
        step = Int(try number.integer(in: 0...Int64(steps - 1)))
        access = try fields.required("answer").word()
        flags = try fields["flags"].map { (node) throws(DocumentError) in
            var flags: Set<ClientAnswer.Flag> = []
            for element in try node.elements(limit: CaseLimits.objects) { flags.insert(try element.word()) }
            return flags
        }
    }
}
