public import FoundationEssentials
import Signatures

/// Keeps an authority between runs: three certificates in DER and the leaf's private key, readable by its owner only.
extension SigningAuthority {
    private enum File {
        static let root = "root.cer"
        static let intermediate = "intermediate.cer"
        static let leaf = "leaf.cer"
        static let leafKey = "leaf.key"
    }

    /// Why an authority cannot be kept or read back.
    public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file it is about.
        public let file: String
        /// What is wrong and what to do.
        public let message: String

        /// Both in one line.
        public var description: String { "\(file): \(message)" }
    }

    /// The authority kept in the directory, or a new one that is then kept there. Throws `FileError` or `SignatureError`.
    public static func kept(in directory: URL, plan: SigningAuthorityPlan = SigningAuthorityPlan()) throws -> Self {
        let exists = FileManager.default.fileExists(atPath: directory.appending(path: File.leafKey).path)
        if exists { return try SigningAuthority(directory: directory) }
        let authority = try SigningAuthority(plan)
        try authority.save(to: directory)
        return authority
    }

    /// Reads an authority that ``save(to:)`` wrote. Throws `FileError` or `SignatureError`.
    public init(directory: URL) throws {
        func bytes(_ name: String) throws -> [UInt8] {
            do { return try Array(Data(contentsOf: directory.appending(path: name))) } catch {
                throw FileError(
                    file: name,
                    message: "cannot be read; delete the directory of the signing authority to make a new one")
            }
        }
        self.init(
            root: try Certificate(der: bytes(File.root)), intermediate: try Certificate(der: bytes(File.intermediate)),
            leaf: try Certificate(der: bytes(File.leaf)),
            leafKey: try ECPrivateKey(pem: String(decoding: bytes(File.leafKey), as: UTF8.self)))
    }

    /// Writes the authority into the directory, which is made if needed. The key is written last: where it is, the rest is.
    public func save(to directory: URL) throws {
        let files = FileManager.default
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, certificate) in [(File.root, root), (File.intermediate, intermediate), (File.leaf, leaf)] {
            try Data(certificate.der).write(to: directory.appending(path: name), options: .atomic)
        }
        let key = try Data(leafKeyPEM().utf8)
        let isWritten = files.createFile(
            atPath: directory.appending(path: File.leafKey).path, contents: key, attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw FileError(file: File.leafKey, message: "cannot be written") }
    }
}
