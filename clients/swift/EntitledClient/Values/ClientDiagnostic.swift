public import Entitlements

/// Something that went wrong or is worth knowing, and that the client has dealt with. For logs and support: holds no
/// secret and no account.
public struct ClientDiagnostic: Sendable, Hashable {
    /// What it is about.
    public enum Subject: String, Sendable, Hashable {
        /// A kept snapshot was not believed; the answer is unknown until the next fetch.
        case cacheRefused
        /// A fetched snapshot was not believed; what was known still stands.
        case answerRefused
        /// The service answered with an older view than one shown already.
        case olderView
        /// Part of the outbox file could not be read; the rest was kept.
        case outboxDamaged
        /// A pushed object that the service will never take was given up.
        case pushGivenUp
        /// The file of the trusted clock is missing or broken; the wall clock was taken at its word.
        case clockFileRefused
        /// The file of pending purchases is broken; it is begun anew.
        case pendingFileRefused
        /// A pending purchase was not approved in time, and is no longer shown.
        case pendingGivenUp
        /// A file could not be written. Answers go on from memory.
        case storageFailed
        /// Answers came too fast, one after the other; the client slowed down.
        case fastLoop
        /// The connection to the service is in a new state.
        case connection
    }

    /// What it is about.
    public let subject: Subject
    /// A sentence.
    public let message: String
    /// The device's wall clock.
    public let at: Milliseconds
}

/// How the client stands to the service.
public enum ConnectionStatus: String, Sendable, Hashable {
    /// Not started, or stopped.
    case stopped
    /// A first answer is being waited for.
    case connecting
    /// A poll is held: changes arrive by themselves.
    case live
    /// A pause that the service asked for, or after it failed; the client comes back by itself.
    case waiting
    /// The service is not reached; the client comes back by itself.
    case offline
    /// No token is accepted. Sign in again, then call `reconnect()`.
    case signedOut
    /// Another process talks to the service; this one reads what it keeps.
    case reading
}
