public import Entitlements
import FoundationEssentials

/// A case file of either kind.
public enum CaseFile: Sendable {
    case server(ServerCase)
    case client(ClientCase)

    /// Its short name.
    public var id: String {
        switch self {
        case .server(let serverCase): serverCase.id
        case .client(let clientCase): clientCase.id
        }
    }

    /// Reads a case: one with `steps` is for the server, one with a `clockTrace` for the client. Throws `DocumentError`.
    public init(_ document: JSONDocument, defaults: CaseDefaults) throws(DocumentError) {
        let object = document.root.value.objectValue
        // A file with neither is told what its kind lacks, as far as it shows its kind.
        let isForClient = object?["steps"] == nil && (object?["snapshot"] != nil || object?["policies"] != nil)
        if object?["clockTrace"] != nil || isForClient {
            self = .client(try ClientCase(document, defaults: defaults))
        } else if object == nil || object?["steps"] != nil {
            self = .server(try ServerCase(document, defaults: defaults))
        } else {
            throw document.root.error(
                .missingKey, "add \"steps\", what the service receives, or \"clockTrace\", what a client lives through")
        }
    }
}

/// Reads case files and the defaults that go with them.
public struct CaseFileLoader {
    private let given: CaseDefaults?
    private var besideFolder: [String: CaseDefaults] = [:]

    /// A loader. Without a defaults file each case falls back to `defaults.json` beside it, else to the built-in ones.
    /// Throws `DocumentError` about the defaults file.
    public init(defaultsFile: String? = nil) throws(DocumentError) {
        given = try defaultsFile.map { (file) throws(DocumentError) in try CaseDefaults(Self.document(file)) }
    }

    /// A file named so among case files is no case.
    public static func isDefaults(_ file: String) -> Bool { file.split(separator: "/").last == "defaults.json" }

    /// Reads one case. Throws `DocumentError` about it or about its defaults.
    public mutating func load(_ file: String) throws(DocumentError) -> CaseFile {
        try CaseFile(Self.document(file), defaults: defaults(beside: file))
    }

    private mutating func defaults(beside file: String) throws(DocumentError) -> CaseDefaults {
        if let given { return given }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        if let known = besideFolder[folder] { return known }
        let path = folder + "defaults.json"
        let defaults =
            FileManager.default.fileExists(atPath: path)
            ? try CaseDefaults(Self.document(path)) : try CaseDefaults.builtIn()
        besideFolder[folder] = defaults
        return defaults
    }

    private static func document(_ file: String) throws(DocumentError) -> JSONDocument {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw DocumentError(
                code: .unreadable, file: file, reason: "the file cannot be read; check its name and rights")
        }
        return try JSONDocument(parsing: Array(data), file: file)
    }
}
