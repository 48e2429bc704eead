/// What a service is told at its start. Everything has a default but the database and the keys.
public struct ServiceSettings: Sendable {
    /// Bounds on what the service takes.
    public struct Limits: Sendable {
        /// Connections at a time.
        public var connections = 19_000
        /// Held polls at a time.
        public var holds = 19_000
        /// Bytes of a push; other bodies may have a sixteenth of it.
        public var bodyBytes = 4 << 20
        /// Requests that may wait for the database at a time.
        public var requestsInFlight = 4096
        /// Requests an account may send a second, over time.
        public var requestsPerSecond = 50
        /// Requests an account may send at once after a pause.
        public var requestBurst = 500
    }

    /// libpq's connection string. May hold a password: never printed.
    public var databaseURL: String
    /// Where to listen.
    public var listen = ListenSetting(address: "127.0.0.1", port: 8080)
    /// The file of the keys.
    public var keysFile: String
    /// How much is logged.
    public var logLevel = LogLevel.info
    /// Certificate chain, as PEM; TLS is off without it.
    public var tlsCertificate: String?
    /// The certificate's private key, as PEM.
    public var tlsKey: String?
    /// Bounds.
    public var limits = Limits()
    /// Seconds over which held polls are answered at the end.
    public var drainSeconds = 30
    /// Event loops; nil: one a core.
    public var loops: Int?

    /// Settings with the defaults.
    public init(databaseURL: String, keysFile: String) {
        self.databaseURL = databaseURL
        self.keysFile = keysFile
    }
}

extension ServiceSettings {
    /// One setting: its name in the environment and in the file, and how its text is taken.
    struct Entry: Sendable {
        let variable: String
        let member: String
        let isRequired: Bool
        /// Puts the text into the settings; false if it has no sense.
        let take: @Sendable (String, inout ServiceSettings) -> Bool
        /// What a text must be, for the message.
        let form: String

        init(
            _ variable: String, _ member: String, isRequired: Bool = false, _ form: String,
            _ take: @escaping @Sendable (String, inout ServiceSettings) -> Bool
        ) {
            self.variable = variable
            self.member = member
            self.isRequired = isRequired
            self.form = form
            self.take = take
        }
    }

    private static func number(
        _ variable: String, _ member: String, _ range: ClosedRange<Int>,
        _ put: @escaping @Sendable (Int, inout ServiceSettings) -> Void
    ) -> Entry {
        Entry(variable, member, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text, settings in
            guard let value = Int(text), range ~= value else { return false }
            put(value, &settings)
            return true
        }
    }

    private static func text(
        _ variable: String, _ member: String, isRequired: Bool = false, _ form: String,
        _ put: @escaping @Sendable (String, inout ServiceSettings) -> Void
    ) -> Entry {
        Entry(variable, member, isRequired: isRequired, form) { text, settings in
            guard !text.isEmpty else { return false }
            put(text, &settings)
            return true
        }
    }

    /// Every setting there is.
    static let entries: [Entry] = [
        text("ENTITLED_DATABASE_URL", "databaseUrl", isRequired: true, "libpq's connection string") {
            $1.databaseURL = $0
        },
        text("ENTITLED_KEYS_FILE", "keysFile", isRequired: true, "the path of the key file") { $1.keysFile = $0 },
        Entry("ENTITLED_LISTEN", "listen", "an address and a port, like 127.0.0.1:8080 or [::1]:8080") {
            guard let listen = ListenSetting($0) else { return false }
            $1.listen = listen
            return true
        },
        Entry("ENTITLED_LOG_LEVEL", "logLevel", "one of debug, info, warning, error") {
            guard let level = LogLevel(rawValue: $0) else { return false }
            $1.logLevel = level
            return true
        },
        text("ENTITLED_TLS_CERTIFICATE", "tlsCertificate", "the path of a PEM file") { $1.tlsCertificate = $0 },
        text("ENTITLED_TLS_KEY", "tlsKey", "the path of a PEM file") { $1.tlsKey = $0 },
        number("ENTITLED_MAX_CONNECTIONS", "maxConnections", 1...10_000_000) { $1.limits.connections = $0 },
        number("ENTITLED_MAX_HOLDS", "maxHolds", 0...10_000_000) { $1.limits.holds = $0 },
        number("ENTITLED_MAX_BODY_BYTES", "maxBodyBytes", 65_536...(64 << 20)) { $1.limits.bodyBytes = $0 },
        number("ENTITLED_MAX_IN_FLIGHT", "maxInFlight", 1...1_000_000) { $1.limits.requestsInFlight = $0 },
        number("ENTITLED_ACCOUNT_RATE", "accountRate", 1...1_000_000) { $1.limits.requestsPerSecond = $0 },
        number("ENTITLED_ACCOUNT_BURST", "accountBurst", 1...1_000_000) { $1.limits.requestBurst = $0 },
        number("ENTITLED_DRAIN_SECONDS", "drainSeconds", 0...600) { $1.drainSeconds = $0 },
        Entry("ENTITLED_LOOPS", "loops", "a whole number from 1 to 256") {
            guard let loops = Int($0), 1...256 ~= loops else { return false }
            $1.loops = loops
            return true
        },
    ]
}
