public import Entitlements

/// Where a case is replayed: the domain code in memory, or a real service over HTTP. Answers are in the words of the case
/// format, snapshots in the JSON of the public surface, so that one comparison fits both.
public protocol CaseTarget {
    /// Lets a step happen. Returns its outcomes in order: one for each transaction of a push or restore, one for a
    /// notification or spend, none for the rest.
    mutating func apply(_ step: CaseStep) async throws -> [String]

    /// The account's snapshot at a time, with what was received up to `knownAt`; nil asks with everything.
    mutating func snapshot(
        account: AccountID, environment: Environment, at: Milliseconds, knownAt: Milliseconds?
    ) async throws -> JSONObject

    /// The lineages of an environment that nobody owns, with what was received up to `knownAt`.
    mutating func unclaimed(environment: Environment, knownAt: Milliseconds?) async throws -> [String]
}
