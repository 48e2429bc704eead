import Entitlements
import Foundation
import Signatures

/// Where the files of a client are. One process writes a directory; each account has a part of its own, so that nothing of
/// one account can be met while another is signed in.
struct StorageLayout: Sendable {
    private let root: String

    init(_ directory: URL) { root = directory.path.hasSuffix("/") ? String(directory.path.dropLast()) : directory.path }

    var lock: String { root + "/lock" }

    /// The directory of an account.
    func accountDirectory(bundleId: String, environment: Environment, account: AccountID) -> String {
        let name = SHA256.hash(Array("\(bundleId)\n\(environment)\n\(account)".utf8)).description.prefix(32)
        return root + "/accounts/" + name
    }

    /// Makes the directory of the client itself.
    func prepare() throws(ClientError) { try Files.makeDirectory(root) }

    /// The id of this installation as it is kept; nil when there is none, or none that can be read.
    func keptInstallation() throws(ClientError) -> String? {
        try Files.read(installationPath, limit: 4096).flatMap { UUID(uuidString: String(decoding: $0, as: UTF8.self)) }?
            .uuidString.lowercased()
    }

    /// The id of this installation, made and kept at the first call. A file that cannot be read as one is replaced: then
    /// what was signed for the former id is fetched anew.
    func installation() throws(ClientError) -> String {
        if let kept = try keptInstallation() { return kept }
        let made = UUID().uuidString.lowercased()
        try Files.replace(installationPath, with: Array(made.utf8))
        return made
    }

    private var installationPath: String { root + "/installation" }
}
