extension AccountState {
    /// Grows when the layout changes; older layouts are rebuilt, not read.
    private static let format: UInt8 = 1

    /// The state as the log stores it: the same state always gives the same bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.format)
        writer.account(account)
        writer.integer(version)
        writer.integer(lastRecordedAt)
        writer.list(lineages.sorted { $0.key < $1.key }.map(\.value)) { $0.lineage($1) }
        writer.list(grants) { $0.grant($1) }
        writer.list(ledger) { $0.entry($1) }
        writer.optional(erasedAt) { $0.integer($1) }
        return writer.bytes
    }

    /// Reads a stored state.
    public init(decoding bytes: [UInt8]) throws(StateCodingError) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.format else { throw reader.error(.unknownFormat) }
        self.init(account: try reader.account())
        version = try reader.integer()
        lastRecordedAt = try reader.integer()
        for lineage in try reader.list({ (reader) throws(StateCodingError) in try reader.lineage() }) {
            lineages[lineage.id] = lineage
        }
        grants = try reader.list { (reader) throws(StateCodingError) in try reader.grant() }
        ledger = try reader.list { (reader) throws(StateCodingError) in try reader.entry() }
        erasedAt = try reader.optional { (reader) throws(StateCodingError) in try reader.integer() }
        guard reader.isAtEnd else { throw reader.error(.invalidValue) }
        for case .spend(let spend, _) in ledger { spends[spend.idempotencyKey] = spend }
    }
}

extension ByteWriter {
    fileprivate mutating func lineage(_ lineage: Lineage) {
        text(lineage.id)
        list(lineage.transactions.sorted { $0.key < $1.key }.map(\.value)) { $0.facts($1) }
        list(lineage.renewals.sorted(by: Self.storedOrder)) { writer, copy in
            writer.content(copy.content)
            writer.dates(copy.firstSigned, copy.lastSigned, copy.learnedAt)
        }
        list(lineage.notifications.sorted()) { $0.text($1) }
        optional(lineage.claim) { writer, claim in
            writer.account(claim.account)
            writer.text(claim.transactionId)
            writer.integer(claim.at)
        }
        list(lineage.moves) { writer, move in
            writer.account(move.account)
            writer.integer(move.at)
            writer.bool(move.cause == .restore)
        }
        optional(lineage.lockedAt) { $0.integer($1) }
        optional(lineage.creditedTo) { $0.account($1) }
    }

    private mutating func facts(_ facts: TransactionFacts) {
        list(facts.copies.count == 1 ? facts.copies : facts.copies.sorted(by: Self.storedOrder)) { writer, copy in
            writer.content(stored: copy.transaction.storedContent)
            writer.dates(copy.firstSigned, copy.lastSigned, copy.learnedAt)
        }
        list(facts.knownTokens.sorted()) { $0.account($1) }
        switch facts.ledger {
        case .none: integer(-2)
        case .credited: integer(-1)
        case .refunded(let percentage): integer(percentage)
        }
    }

    /// Copies merge in any order; they are stored in one.
    private static func storedOrder<Copy: SignedCopy>(_ left: Copy, _ right: Copy) -> Bool {
        if left.lastSigned != right.lastSigned { return left.lastSigned < right.lastSigned }
        return right.winsTie(over: left)
    }

    private mutating func dates(_ first: Milliseconds, _ last: Milliseconds, _ learned: Milliseconds) {
        integer(first)
        // Nearly always equal, or near.
        integer(last &- first)
        integer(learned)
    }

    fileprivate mutating func grant(_ state: AccountState.GrantState) {
        text(state.grant.id)
        text(state.grant.entitlement)
        integer(state.grant.from)
        optional(state.grant.until) { $0.integer($1) }
        optional(state.grant.reason) { $0.text($1) }
        integer(state.grantedAt)
        optional(state.revokedAt) { $0.integer($1) }
    }

    fileprivate mutating func entry(_ entry: LedgerEntry) {
        switch entry {
        case .credit(let transactionId, let productId, let quantity, let at):
            byte(0)
            text(transactionId)
            text(productId)
            integer(quantity)
            integer(at)
        case .refund(let transactionId, let percentage, let at):
            byte(1)
            text(transactionId)
            integer(percentage)
            integer(at)
        case .reversal(let transactionId, let at):
            byte(2)
            text(transactionId)
            integer(at)
        case .spend(let spend, let at):
            byte(3)
            text(spend.currency)
            integer(spend.amount)
            text(spend.idempotencyKey)
            integer(at)
        }
    }
}

extension ByteReader {
    fileprivate mutating func lineage() throws(StateCodingError) -> Lineage {
        var lineage = Lineage(id: try text())
        for facts in try list({ (reader) throws(StateCodingError) in try reader.facts() }) {
            guard let id = facts.newest?.transactionId else { throw error(.invalidValue) }
            lineage.transactions[id] = facts
            lineage.newestMayHaveChanged(of: id)
        }
        lineage.renewals = try list { (reader) throws(StateCodingError) in
            guard let info = RenewalInfo(content: try reader.content(), signedDate: nil) else {
                throw reader.error(.invalidValue)
            }
            var copy = RenewalCopy(info, learnedAt: 0)
            (copy.firstSigned, copy.lastSigned, copy.learnedAt) = try reader.dates()
            return copy
        }
        lineage.notifications = Set(try list { (reader) throws(StateCodingError) in try reader.text() })
        lineage.claim = try optional { (reader) throws(StateCodingError) in
            Lineage.Claim(account: try reader.account(), transactionId: try reader.text(), at: try reader.integer())
        }
        lineage.moves = try list { (reader) throws(StateCodingError) in
            Lineage.Move(
                account: try reader.account(), at: try reader.integer(),
                cause: try reader.bool() ? .restore : .operator)
        }
        lineage.lockedAt = try optional { (reader) throws(StateCodingError) in try reader.integer() }
        lineage.creditedTo = try optional { (reader) throws(StateCodingError) in try reader.account() }
        return lineage
    }

    private mutating func facts() throws(StateCodingError) -> TransactionFacts {
        var facts = TransactionFacts()
        facts.copies = try list { (reader) throws(StateCodingError) in
            let start = reader.offset
            let content = try reader.content()
            guard
                let transaction = Transaction(content: content, stored: reader.bytes(from: start), signedDate: nil)
            else { throw reader.error(.invalidValue) }
            var copy = TransactionCopy(transaction, learnedAt: 0)
            (copy.firstSigned, copy.lastSigned, copy.learnedAt) = try reader.dates()
            return copy
        }
        facts.knownTokens = Set(try list { (reader) throws(StateCodingError) in try reader.account() })
        switch try integer() {
        case -2: facts.ledger = .none
        case -1: facts.ledger = .credited
        case let percentage: facts.ledger = .refunded(percentage: percentage)
        }
        return facts
    }

    private mutating func dates() throws(StateCodingError) -> (Milliseconds, Milliseconds, Milliseconds) {
        let first = try integer()
        return (first, first &+ (try integer()), try integer())
    }

    fileprivate mutating func grant() throws(StateCodingError) -> AccountState.GrantState {
        let id = try text()
        let entitlement = try text()
        let from = try integer()
        let until = try optional { (reader) throws(StateCodingError) in try reader.integer() }
        let reason = try optional { (reader) throws(StateCodingError) in try reader.text() }
        return AccountState.GrantState(
            grant: Grant(id: id, entitlement: entitlement, from: from, until: until, reason: reason),
            grantedAt: try integer(),
            revokedAt: try optional { (reader) throws(StateCodingError) in try reader.integer() })
    }

    fileprivate mutating func entry() throws(StateCodingError) -> LedgerEntry {
        switch try byte() {
        case 0:
            return .credit(
                transactionId: try text(), productId: try text(), quantity: try integer(), at: try integer())
        case 1: return .refund(transactionId: try text(), percentage: try integer(), at: try integer())
        case 2: return .reversal(transactionId: try text(), at: try integer())
        case 3:
            let spend = Spend(currency: try text(), amount: try integer(), idempotencyKey: try text())
            return .spend(spend, at: try integer())
        default: throw error(.invalidValue)
        }
    }
}
