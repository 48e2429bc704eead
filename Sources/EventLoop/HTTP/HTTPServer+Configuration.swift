extension HTTPServer {
    /// Where a server listens and what it lets clients use. Every limit has a default fit for small JSON requests.
    public struct Configuration: Sendable {
        /// A numeric IPv4 or IPv6 address; `0.0.0.0` or `::` for all.
        public var address = "127.0.0.1"
        /// The port; 0 lets the kernel choose, see ``HTTPServer/port``.
        public var port = 0
        /// Certificate and key for TLS 1.2 or newer; plain HTTP if nil.
        public var tls: TLSIdentity?
        /// How many connections the kernel may queue before they are accepted.
        public var backlog = 4096

        /// Longest request line and headers together, in bytes; beyond it 431.
        public var maxHeadBytes = 16 * 1024
        /// Most header fields of a request; beyond it 400.
        public var maxHeaderFields = 100
        /// Longest request body, in bytes; beyond it 413.
        public var maxBodyBytes = 256 * 1024
        /// Most connections at a time, on all loops together; beyond it 503 with `Retry-After`.
        public var maxConnections = 19_000

        /// From the first byte of a head (or the start of a connection, TLS handshake included) to its last.
        public var headTimeout = Duration.seconds(10)
        /// From the end of a head to the last byte of its body, however slowly bytes drip.
        public var bodyTimeout = Duration.seconds(30)
        /// How long a connection may rest between two requests.
        public var idleTimeout = Duration.seconds(75)
        /// How long a handler may take to answer. The safety net under held requests: set it above the longest hold.
        public var answerTimeout = Duration.seconds(300)
        /// How long a client may take to read an answer.
        public var writeTimeout = Duration.seconds(10)

        /// The defaults: any free port of the loopback address.
        public init() {}

        var readerLimits: RequestReader.Limits {
            RequestReader.Limits(headBytes: maxHeadBytes, bodyBytes: maxBodyBytes, fields: maxHeaderFields)
        }

        /// The limits of time in nanoseconds.
        var timeLimits: HTTPTimeLimits {
            let shortest = [headTimeout, bodyTimeout, idleTimeout, answerTimeout, writeTimeout].min() ?? .seconds(1)
            return HTTPTimeLimits(
                sweepInterval: min(max(shortest / 4, .milliseconds(10)), .seconds(1)).clampedNanoseconds,
                head: headTimeout.clampedNanoseconds, body: bodyTimeout.clampedNanoseconds,
                idle: idleTimeout.clampedNanoseconds, answer: answerTimeout.clampedNanoseconds,
                write: writeTimeout.clampedNanoseconds)
        }
    }

    /// A certificate chain and its private key, as PEM files.
    public struct TLSIdentity: Sendable {
        /// The certificate, followed by those of its issuers.
        public var certificateChainFile: String
        /// The private key, without passphrase.
        public var privateKeyFile: String

        /// The identity in these two files.
        public init(certificateChainFile: String, privateKeyFile: String) {
            self.certificateChainFile = certificateChainFile
            self.privateKeyFile = privateKeyFile
        }
    }
}

/// The limits of time, in nanoseconds.
///
/// They are kept by looking at all connections every `sweepInterval`, not by a timer each: a sweep over twenty thousand
/// takes less than the system calls and heap moves of one timer a request would.
struct HTTPTimeLimits {
    let sweepInterval: Int64
    let head: Int64
    let body: Int64
    let idle: Int64
    let answer: Int64
    let write: Int64
    /// How long a refused client may take to read the refusal and hang up.
    let linger: Int64 = 2_000_000_000
}
