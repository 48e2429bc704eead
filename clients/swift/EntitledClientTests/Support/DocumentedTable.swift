import Foundation
import Testing

/// A table of `clients/PROTOCOL.md`, so that the documentation is what is tried.
struct DocumentedTable {
    /// The heads of the columns behind the first.
    let columns: [String]
    /// The first cell of each row, and the others.
    let rows: [(name: String, cells: [String])]

    static let protocolDocument = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../PROTOCOL.md").standardizedFileURL

    /// The table whose first column is called so.
    init(of first: String, in document: URL = protocolDocument) throws {
        let lines = try String(contentsOf: document, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(first) |") }, "no table of \(first)")
        let cells = lines[start...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        columns = Array(cells[0].dropFirst())
        rows = cells.dropFirst(2).map { ($0[0], Array($0.dropFirst())) }
        try #require(rows.allSatisfy { $0.cells.count == columns.count }, "a row has another number of cells")
    }
}
