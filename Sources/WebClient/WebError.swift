import CLibcurl

/// Why there is no answer.
public struct WebError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; stable, for programs.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The address or a header cannot be sent; nothing was.
        public static let invalidRequest = Code(name: "invalidRequest")
        /// No such host, or nobody there who takes a connection.
        public static let unreachable = Code(name: "unreachable")
        /// The server did not prove its name, or TLS failed otherwise.
        public static let untrusted = Code(name: "untrusted")
        /// The time was over before the answer was complete.
        public static let timedOut = Code(name: "timedOut")
        /// The connection ended too early, or what came is no HTTP.
        public static let brokenAnswer = Code(name: "brokenAnswer")
        /// The answer has more bytes than the request allows.
        public static let answerTooLong = Code(name: "answerTooLong")
        /// This machine has no memory, threads or descriptors left.
        public static let resourcesExhausted = Code(name: "resourcesExhausted")
    }

    /// What went wrong; stable, for programs.
    public let code: Code
    /// What is wrong and what to do, for people. Holds nothing of the request.
    public let message: String

    /// The code and the message in one line.
    public var description: String { "\(code.name): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension WebError {
    /// What libcurl's word for it means.
    init(_ code: CURLcode) {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT:
            self.init(.invalidRequest, "the address cannot be used")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.unreachable, "no such host or proxy; check the address and the network")
        case CURLE_COULDNT_CONNECT: self.init(.unreachable, "nobody takes a connection there")
        case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, "no whole answer came in time")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
            self.init(.untrusted, "the server did not prove its name over TLS; check the certificate and the roots")
        case CURLE_OUT_OF_MEMORY, CURLE_SSL_ENGINE_INITFAILED:
            self.init(.resourcesExhausted, "libcurl has no memory left")
        default: self.init(.brokenAnswer, "the connection ended too early, or what came is no HTTP")
        }
    }
}
