import Entitlements
import Foundation

/// Reads and writes the catalog files of an operator.
enum CatalogFile {
    /// Throws `CommandFailure` if there is no such file, and `DocumentError` with line and place if its form is wrong.
    static func read(_ path: String) throws -> Catalog { try Catalog(document(path)) }

    /// The same for a StoreKit configuration of Xcode.
    static func readStoreKit(_ path: String) throws -> StoreKitConfiguration {
        try StoreKitConfiguration(document(path))
    }

    private static func document(_ path: String) throws -> JSONDocument {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path): cannot be read")
        }
        return try JSONDocument(parsing: Array(data), file: path)
    }

    /// Writes a catalog, or prints it without a path. A file that is there is not overwritten: somebody may have mended it.
    static func write(_ catalog: Catalog, to path: String?) throws {
        let text = JSONValue.object(catalog.json).text
        guard let path else { return print(text) }
        do {
            try Data((text + "\n").utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw CommandFailure("\(path) is there already: name another file, or remove it")
        } catch {
            throw CommandFailure("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
