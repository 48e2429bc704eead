import AppStoreSimulator
import Entitlements

/// Signs like the App Store, with a root that nobody trusts.
enum StrangeAuthority {
    private static let authority = Result { try SigningAuthority() }

    static func sign(_ payload: JSONObject) throws -> String { try authority.get().sign(payload) }
}
