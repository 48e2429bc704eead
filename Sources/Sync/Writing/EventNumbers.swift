import Entitlements

/// The numbers of event kinds in the log. Never reused, never changed.
enum EventKind: Int16, CaseIterable {
    case transaction = 1
    case renewalInfo = 2
    case notification = 3
    case claimed = 4
    case moved = 5
    case tokenKnown = 6
    case granted = 7
    case grantRevoked = 8
    case spent = 9
    case erased = 10
    case locked = 11
    case freed = 12
}

extension Event.Source {
    /// The number in the log. Never reused, never changed.
    var number: Int16 {
        switch self {
        case .push: 1
        case .restore: 2
        case .notification: 3
        case .serverAPI: 4
        case .imported: 5
        case .account: 6
        case .operator: 7
        }
    }

    init?(number: Int16) {
        guard let source = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = source
    }
}
