public import Entitlements

/// One product as the store sells it: what a catalog of entitlements does not say.
public struct SaleProduct: Sendable, Hashable {
    /// The product id.
    public let id: String
    /// Apple's kind.
    public let type: ProductType
    /// Subscriptions of one group replace each other.
    public let group: String?
    /// Service level: the higher number is the better service.
    public let level: Int64
    /// Length of a period of a subscription.
    public let period: CalendarDuration?
    /// Price of one piece, in thousandths of the currency's unit.
    public let price: Int64
    /// Whether members of a family may use it.
    public let isFamilyShareable: Bool
    /// What the store offers besides the price.
    public let offers: [SaleOffer]
}

/// A reduced price, or none, for a while.
public struct SaleOffer: Sendable, Hashable {
    /// Apple's numbers of `offerType`.
    public enum Kind: Int64, Sendable, Hashable {
        case introductory = 1
        case promotional = 2
        case code = 3
        case winBack = 4
    }

    /// Apple's words of `offerDiscountType`.
    public enum Discount: String, Sendable, Hashable {
        case freeTrial = "FREE_TRIAL"
        case payAsYouGo = "PAY_AS_YOU_GO"
        case payUpFront = "PAY_UP_FRONT"
        case oneTime = "ONE_TIME"
    }

    /// What kind of offer.
    public let kind: Kind
    /// Its name; an introductory offer has none.
    public let identifier: String?
    /// How it is paid.
    public let discount: Discount
    /// Length of one of its periods; nil for products that have no periods.
    public let period: CalendarDuration?
    /// The same as ISO 8601 text, as signed data writes it.
    public let periodText: String?
    /// How many periods.
    public let count: Int64
    /// Price of one period, in thousandths of the currency's unit.
    public let price: Int64

    /// How long one transaction under this offer lasts, from its start.
    func end(from start: Milliseconds) -> Milliseconds? {
        // What is paid for in parts comes in parts; the other kinds are one transaction.
        period.map { $0.end(from: start, count: discount == .payAsYouGo ? 1 : count) }
    }
}

extension SaleOffer {
    /// What redeeming a code gives when the configuration lists none: one free period.
    static func unlistedCode(for product: SaleProduct, identifier: String?) -> SaleOffer {
        SaleOffer(
            kind: .code, identifier: identifier ?? "code", discount: product.period == nil ? .oneTime : .freeTrial,
            period: product.period, periodText: product.period?.text, count: 1, price: 0)
    }
}
