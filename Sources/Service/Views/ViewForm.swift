import Entitlements
import EventLoop
import Signatures

/// In which form a caller wants a view.
enum ViewForm: Sendable, Hashable {
    /// JSON.
    case plain
    /// A JWS of the service, for that installation of the app if one is named (rules.md R11).
    case signed(installation: String?)

    /// The longest name of an installation.
    private static let maximumInstallation = 128

    /// What the request's headers ask for.
    init(_ headers: HTTPHeaders) throws(Problem) {
        let isSigned = headers["Accept"]?.lowercased().contains("application/jose") ?? false
        let installation = try Self.installation(headers)
        self = isSigned ? .signed(installation: installation) : .plain
    }

    /// The installation that a request names.
    static func installation(_ headers: HTTPHeaders) throws(Problem) -> String? {
        guard let text = headers["Entitlement-Installation"] else { return nil }
        guard 1...maximumInstallation ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Problem(
                .invalidParameter,
                "The header Entitlement-Installation must have 1 to \(maximumInstallation) visible ASCII characters.")
        }
        return text
    }

    /// A number for the installation, so that a newer poll of the same device takes over from an older one.
    static func device(_ installation: String?) -> UInt64? {
        installation.map { SHA256.hash(Array($0.utf8)).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
