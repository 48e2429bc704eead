import Signatures

/// One numbered file of `Migrations/`. Once released it is never changed.
public struct Migration: Sendable, Hashable {
    /// Applied in this order.
    public let number: Int32
    /// What it is about.
    public let name: String
    /// Its statements.
    public let sql: String
    /// SHA-256 of the statements, in hexadecimal: tells whether an applied one was changed.
    public let checksum: String

    init(number: Int32, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
        checksum = SHA256.hash(Array(sql.utf8)).description
    }
}

/// A migration and whether a database has it.
public struct MigrationStatus: Sendable, Hashable {
    /// Its number.
    public let number: Int32
    /// What it is about.
    public let name: String
    /// Where it stands.
    public let state: State

    /// Where a migration stands.
    public enum State: Sendable, Hashable {
        /// Applied.
        case applied
        /// To be applied by this release.
        case pending
        /// Applied by a newer release, unknown to this one.
        case newer
        /// Applied with another text: nothing is applied before somebody has looked into it.
        case changed
    }
}
