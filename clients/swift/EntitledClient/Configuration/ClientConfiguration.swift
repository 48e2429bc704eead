public import Entitlements
public import Foundation

/// Gives a bearer token of the account for the service, and is asked for another when one is refused. Nil when nobody is
/// signed in; it throws when it cannot ask now, and is asked again later.
public typealias TokenProvider = @Sendable () async throws -> String?

/// What a client needs to know.
public struct ClientConfiguration: Sendable {
    /// The service, without `/v1`. HTTPS, but for this machine.
    public var service: URL
    /// The app.
    public var bundleId: String
    /// The environment whose purchases are asked for.
    public var environment: Environment
    /// The account that is signed in.
    public var account: AccountID
    /// Where its token comes from.
    public var token: TokenProvider
    /// Who may sign snapshots.
    public var pinnedKeys: PinnedKeys
    /// A directory of the client's own, kept over restarts and not backed up to other devices.
    public var storageDirectory: URL
    /// The id of this installation, where the app keeps one in a place that is not copied (a keychain). Nil: the client
    /// makes one and keeps it in `storageDirectory`.
    public var installation: UUID?
    /// Whether this process talks to the service, or only reads what another one keeps.
    public var role = Role.automatic
    /// Sizes, counts and times.
    public var limits = ClientLimits()
    /// The device's clocks.
    public var clock: any DeviceClock = SystemClock()
    /// The way to the service; nil is `WebTransport`.
    public var transport: (any Transport)?

    /// A configuration with the usual rest.
    public init(
        service: URL, bundleId: String, environment: Environment = .production, account: AccountID,
        pinnedKeys: PinnedKeys, storageDirectory: URL, token: @escaping TokenProvider
    ) {
        self.service = service
        self.bundleId = bundleId
        self.environment = environment
        self.account = account
        self.pinnedKeys = pinnedKeys
        self.storageDirectory = storageDirectory
        self.token = token
    }

    /// Who writes the files, when several processes share the directory.
    public enum Role: Sendable, Hashable {
        /// The first one, until it ends; then another.
        case automatic
        /// Never this one: an extension, a helper.
        case readOnly
    }

    func check() throws(ClientError) {
        guard let scheme = service.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = service.host
        else {
            throw ClientError(.invalidInput, "the service's address must be an http or https URL")
        }
        // A bearer token in clear text must not leave the machine.
        guard scheme == "https" || ["127.0.0.1", "localhost", "::1"].contains(host) else {
            throw ClientError(.invalidInput, "the service must be reached by https unless it is on this machine")
        }
        guard !bundleId.isEmpty, !pinnedKeys.isEmpty else {
            throw ClientError(.invalidInput, "a client needs a bundle id and at least one pinned key")
        }
    }
}

/// Sizes, counts and times of a client.
public struct ClientLimits: Sendable, Hashable {
    /// Signed objects that wait for delivery.
    public var outboxCount = 1_000
    /// Their bytes.
    public var outboxBytes = 8 << 20
    /// Bytes of one signed object.
    public var signedObjectBytes = 64 << 10
    /// Signed objects in one request; the service takes 100.
    public var batchCount = 100
    /// Their bytes, below what the service takes as a body.
    public var batchBytes = 192_000
    /// Bytes of one answer.
    public var answerBytes = 1 << 20
    /// Seconds a poll asks to be held.
    public var holdSeconds = 50
    /// How long `push` waits for the service before it answers `queued`.
    public var pushWait: Milliseconds = 30_000
    /// How long a pending purchase is shown as such. An Ask to Buy request lives for 24 hours; a bank may take longer.
    public var pendingLimit: Milliseconds = 7 * Time.day
    /// Purchases that may be pending at once.
    public var pendingCount = 100
    /// How often a reading process looks at the file.
    public var readerInterval: Milliseconds = 1_000

    /// The defaults.
    public init() {}
}
