/// Data with the judgement on its signature, as StoreKit's `VerificationResult`.
public enum Verdict<Value: Sendable>: Sendable {
    /// The service signed it, for this app, environment, account and installation.
    case verified(Value)
    /// It could not be believed. What was known before still stands.
    case unverified(ClientError)

    /// The value if it is verified; else throws why not.
    public var payloadValue: Value {
        get throws {
            switch self {
            case .verified(let value): value
            case .unverified(let error): throw error
            }
        }
    }
}

extension Verdict: Equatable where Value: Equatable {}
