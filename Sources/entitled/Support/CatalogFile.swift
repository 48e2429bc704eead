import Entitlements
import Foundation

/// Reads a catalog file of an operator.
enum CatalogFile {
    /// Throws `CommandFailure` if there is no such file, and `DocumentError` with line and place if its form is wrong.
    static func read(_ path: String) throws -> Catalog {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path): cannot be read")
        }
        return try Catalog(JSONDocument(parsing: Array(data), file: path))
    }
}
