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
        func read<Value>(_ name: String, _ make: ([UInt8]) throws -> Value) throws -> Value {
            let file = directory.appending(path: name)
            let remedy = "delete the directory \(directory.path) to make a new authority"
            guard let data = try? Data(contentsOf: file) else {
                throw FileError(file: file.path, message: "cannot be read; \(remedy)")
            }
            do { return try make(Array(data)) } catch {
                throw FileError(file: file.path, message: "is damaged (\(error)); \(remedy)")
            }
        }
        func certificate(_ name: String) throws -> Certificate { try read(name) { try Certificate(der: $0) } }
        self.init(
            root: try certificate(File.root), intermediate: try certificate(File.intermediate),
            leaf: try certificate(File.leaf),
            leafKey: try read(File.leafKey) { try ECPrivateKey(pem: String(decoding: $0, as: UTF8.self)) })
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
