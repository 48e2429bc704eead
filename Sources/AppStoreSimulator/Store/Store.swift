public import Entitlements

/// A local App Store as a pure state machine: no clock, no keys, no network. Acts and the passing of time come in, payloads to
/// be signed come out. What Apple does is described in the shared notes on its notifications, signed data and Server API; where
/// they leave something open, `docs/simulator.md` says what is done here.
public struct Store: Sendable {
    /// The app and the spans of time.
    public let settings: StoreSettings
    /// What is sold.
    public let catalog: SaleCatalog
    /// How far time has come.
    public internal(set) var now: Milliseconds

    var customers: [String: Customer] = [:]
    var purchases: [String: Purchase] = [:]
    var subscriptions: [String: Subscription] = [:]
    var requests: [String: Order] = [:]
    var withdrawn: Set<String> = []
    /// Prices that were raised for everybody.
    var raisedPrices: [String: Int64] = [:]
    var agenda = Agenda()
    var random: SeededRandom
    var modification: Int64 = 0
    private var lastNumber: Int64
    private var lastSigned: Milliseconds
    let storefront: Storefront

    /// Accounts and acts a store takes: it is for rehearsals, and everything is in memory.
    static let maximumCustomers = 1_000_000

    /// A store that nobody has bought in, at an instant.
    public init(_ settings: StoreSettings, catalog: SaleCatalog, now: Milliseconds) {
        self.settings = settings
        self.catalog = catalog
        self.now = now
        random = SeededRandom(seed: settings.seed)
        storefront = Storefront(country: catalog.storefront)
        // 16 digits, as Apple's; apart for every seed, so that two stores seldom meet in one service.
        lastNumber = 2_000_000_000_000_000 + Int64(settings.seed % 100_000_000_000) * 10_000
        lastSigned = now - 1
    }

    /// Something is done at an instant, which is not before `now`. Returns what happened by itself until then, and what the
    /// act led to, in order. Throws ``ActRefusal`` if the act is not possible: time has passed then, nothing else.
    public mutating func perform(_ act: Act, at time: Milliseconds) throws(ActRefusal) -> [Happening] {
        var happenings = advance(to: time)
        happenings += try perform(act)
        return happenings
    }

    /// Lets time pass: everything that happens by itself until then, in order.
    public mutating func advance(to time: Milliseconds) -> [Happening] {
        var happenings: [Happening] = []
        while let (due, lineage) = agenda.first(), due <= time {
            now = max(now, due)
            happenings += happens(to: lineage)
            schedule(lineage)
        }
        now = max(now, time)
        return happenings
    }

    /// When something happens by itself next; nil: nothing is to come.
    public var nextDue: Milliseconds? {
        mutating get { agenda.first()?.due }
    }

    private mutating func perform(_ act: Act) throws(ActRefusal) -> [Happening] {
        switch act {
        case .buy(let order): try buy(order, isInApp: true)
        case .redeemOffer(let order): try redeem(order)
        case .askToBuy(let order): try ask(order)
        case .approve(let request): try approve(request)
        case .decline(let request): try decline(request)
        case .changePlan(let order): try changePlan(order)
        case .setAutoRenew(let target, let isOn): try setAutoRenew(target, isOn)
        case .failBilling(let customer, let hasGrace): try failBilling(customer, hasGrace: hasGrace)
        case .recoverBilling(let customer): try recoverBilling(customer)
        case .priceIncrease(let product, let customer, let price, let needsConsent):
            try raisePrice(of: product, for: customer, to: price, needsConsent: needsConsent)
        case .consent(let customer, let product, let agrees): try consent(customer, product, agrees: agrees)
        case .refund(let target, let percentage, let reason): try refund(target, percentage: percentage, reason: reason)
        case .reverseRefund(let target): try reverseRefund(target)
        case .requestRefund(let target, let reason): try requestRefund(target, reason: reason)
        case .declineRefund(let target): try declineRefund(target)
        case .shareWithFamily(let customer, let members): try share(customer, with: members)
        case .leaveFamily(let customer): try leaveFamily(customer)
        case .stopSharing(let customer, let product): try stopSharing(customer, product)
        case .extend(let target, let days, let reason, let request):
            try extend(target, days: days, reason: reason, request: request).happenings
        case .setAppAccountToken(let lineage, let token): try setAppAccountToken(lineage, token)
        case .withdrawProduct(let product): try withdraw(product)
        }
    }
}

// MARK: Small tools of every act

extension Store {
    /// The next number for a transaction, a line item or an order.
    mutating func number() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// When something is signed: now, and later than anything before, so that each word of the store replaces the one before.
    mutating func stamp() -> Milliseconds {
        lastSigned = max(now, lastSigned + 1)
        return lastSigned
    }

    /// Purchases are dated by the second (all vectors are).
    var today: Milliseconds { now - now % 1000 }

    /// A happening that is signed now.
    mutating func news() -> Happening { Happening(signedAt: stamp()) }

    /// The customer of a name, who is made at first sight.
    mutating func customer(_ name: String) -> Customer {
        if let customer = customers[name] { return customer }
        let customer = Customer(
            name: name, appTransactionId: "7\(String(random.next() % 100_000_000_000_000_000).padded(to: 17))",
            since: today)
        customers[name] = customer
        return customer
    }

    /// The customer of a name. Throws `unknown`.
    func knownCustomer(_ name: String) throws(ActRefusal) -> Customer {
        guard let customer = customers[name] else {
            throw .unknown("there is no customer \(name): customers come to be when they buy or join a family")
        }
        return customer
    }

    func product(_ id: String) throws(ActRefusal) -> SaleProduct {
        guard let product = catalog.products[id] else {
            let known = catalog.products.keys.sorted().prefix(20).joined(separator: ", ")
            throw .unknown("there is no product \(id); sold are \(known)")
        }
        return product
    }

    /// Notes that a transaction says something else now.
    mutating func touch(_ transactionId: String) {
        modification += 1
        purchases[transactionId]?.modification = modification
    }

    /// Adds to a happening what a transaction says now, with its lineage's renewal info.
    mutating func state(_ transactionId: String, in news: inout Happening) {
        guard let purchase = purchases[transactionId] else { return }
        news.statements.append(statement(purchase, signedAt: news.signedAt))
    }

    /// The same, and tells the app's server.
    mutating func tell(
        _ type: String, _ subtype: String? = nil, about transactionId: String, reason: String? = nil,
        in news: inout Happening
    ) {
        state(transactionId, in: &news)
        news.notifications.append(
            Happening.Notification(
                notificationUUID: random.uuid(), type: type, subtype: subtype, statement: news.statements.count - 1,
                consumptionRequestReason: reason, summary: nil))
    }

    /// What is to be said of a purchase now.
    func statement(_ purchase: Purchase, signedAt: Milliseconds) -> Happening.Statement {
        let subscription = subscriptions[purchase.originalTransactionId]
        let appTransactionId = customers[purchase.customer]?.appTransactionId ?? ""
        return Happening.Statement(
            customer: purchase.customer,
            transaction: purchase.payload(
                settings, storefront: storefront, appTransactionId: appTransactionId, signedAt: signedAt),
            renewalInfo: subscription.map {
                renewalInfo($0, appTransactionId: appTransactionId, signedAt: signedAt)
            },
            orderId: purchase.orderId, status: subscription.map { status($0) })
    }

    /// The transaction a target names. Throws `unknown`.
    func purchase(_ target: PurchaseTarget) throws(ActRefusal) -> Purchase {
        if let id = target.transactionId {
            guard let purchase = purchases[id] else { throw .unknown("there is no transaction \(id)") }
            return purchase
        }
        guard let name = target.customer else {
            throw ActRefusal(.malformed, "name a transactionId, or a customer")
        }
        let begun = try knownCustomer(name).purchases.compactMap { purchases[$0] }.filter {
            $0.purchaseDate <= now && (target.product == nil || $0.product.id == target.product)
        }
        // Of several in one second the later one.
        let newest = begun.enumerated().max {
            ($0.element.purchaseDate, $0.offset) < ($1.element.purchaseDate, $1.offset)
        }
        guard let newest else {
            throw .unknown("\(name) has no transaction" + (target.product.map { " of \($0)" } ?? ""))
        }
        return newest.element
    }

    /// The lineage a target names. Throws `unknown`.
    func subscription(_ target: PurchaseTarget) throws(ActRefusal) -> Subscription {
        if target.transactionId == nil, let name = target.customer {
            let found = try knownCustomer(name).subscriptions.compactMap { subscriptions[$0] }.filter { lineage in
                target.product == nil
                    || lineage.nextProduct == target.product
                    || lineage.periods.contains { purchases[$0]?.product.id == target.product }
            }
            // Own ones before shared ones, those that run before those that ended.
            let best = found.max { left, right in
                (left.sharedFrom == nil ? 1 : 0, left.isExpired ? 0 : 1) < (
                    right.sharedFrom == nil ? 1 : 0, right.isExpired ? 0 : 1
                )
            }
            guard let best else { throw .unknown("\(name) has no such subscription") }
            return best
        }
        let purchase = try purchase(target)
        guard let subscription = subscriptions[purchase.originalTransactionId] else {
            throw .notAllowed("\(purchase.transactionId) is no subscription")
        }
        return subscription
    }

    /// A lineage and those of members that follow it.
    func family(_ lineage: String) -> [String] {
        [lineage] + (subscriptions[lineage]?.members ?? [])
    }
}

extension String {
    /// With zeros in front.
    func padded(to width: Int) -> String { String(repeating: "0", count: max(0, width - utf8.count)) + self }
}
