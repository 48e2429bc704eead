import Entitlements
import Foundation
import Signatures

/// Where the files of a client are. One process writes a directory; each account has a part of its own, so that nothing of
/// one account can be met while another is signed in.
struct StorageLayout: Sendable {
    private let root: String

    init(_ directory: URL) { root = directory.path.hasSuffix("/") ? String(directory.path.dropLast()) : directory.path }

    var lock: String { root + "/lock" }

    /// The directory of an account, made if it is new.
    func accountDirectory(bundleId: String, environment: Environment, account: AccountID) throws(ClientError) -> String
    {
        let name = SHA256.hash(Array("\(bundleId)\n\(environment)\n\(account)".utf8)).description.prefix(32)
        let path = root + "/accounts/" + name
        try Files.makeDirectory(path)
        return path
    }

    /// The id of this installation, made and kept at the first call. A file that cannot be read as one is replaced: then
    /// what was signed for the former id is fetched anew.
    func installation() throws(ClientError) -> UUID {
        try Files.makeDirectory(root)
        let path = root + "/installation"
        if let text = try Files.read(path, limit: 4096),
            let kept = UUID(uuidString: String(decoding: text, as: UTF8.self))
        {
            return kept
        }
        let made = UUID()
        try Files.replace(path, with: Array(made.uuidString.lowercased().utf8))
        return made
    }
}
