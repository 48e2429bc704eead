/// A JSON file of an operator, with the place of every value in it, so that an error can point at the line.
public struct JSONDocument: Sendable {
    /// The file's name, as the operator gave it.
    public let file: String
    /// What the file says.
    public let value: JSONValue
    private let places: [[JSONPathStep]: Place]

    private struct Place {
        let line: Int
        let column: Int
    }

    /// Reads a file's bytes. Throws `DocumentError` of code `notJSON` with line and column.
    public init(parsing bytes: [UInt8], file: String, limits: JSONLimits = .file) throws(DocumentError) {
        var places: [[JSONPathStep]: Place] = [:]
        do throws(JSONError) {
            value = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
                try JSONParser.parse(buffer, limits: limits) { path, line, column in
                    places[path] = Place(line: line, column: column)
                }
            }
        } catch {
            throw DocumentError(
                code: .notJSON, file: file, line: error.line, column: error.column, place: "",
                reason: "\(error.message); this file must be one JSON value in UTF-8")
        }
        self.file = file
        self.places = places
    }

    /// Reads a file's text. Throws `DocumentError` of code `notJSON` with line and column.
    public init(parsing text: String, file: String) throws(DocumentError) {
        try self.init(parsing: Array(text.utf8), file: file)
    }

    /// The whole value, to be read strictly.
    public var root: JSONNode { JSONNode(document: self, path: [], value: value) }

    func error(_ code: DocumentError.Code, at path: [JSONPathStep], _ reason: String) -> DocumentError {
        // A value made up by a reader has no place of its own: the nearest one around it has.
        var known = path
        while places[known] == nil, !known.isEmpty { known.removeLast() }
        let place = places[known] ?? Place(line: 1, column: 1)
        return DocumentError(
            code: code, file: file, line: place.line, column: place.column, place: Self.text(of: path), reason: reason)
    }

    static func text(of path: [JSONPathStep]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

/// Why a file of an operator is refused: where, why and what to do.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is.
    public enum Code: String, Sendable {
        case unreadable, notJSON, unknownKey, missingKey, wrongKind, outOfRange, invalidValue, unknownName, duplicate
    }

    /// What kind of mistake it is.
    public let code: Code
    /// The file's name.
    public let file: String
    /// Line, from 1.
    public let line: Int
    /// Column in bytes, from 1.
    public let column: Int
    /// The way to the value, like `products.pro.m.type` or `steps[3].at`; empty for the whole file.
    public let place: String
    /// What is wrong and what to write instead.
    public let reason: String

    /// An error about a file as a whole, such as one that cannot be opened.
    public init(code: Code, file: String, reason: String) {
        self.init(code: code, file: file, line: 1, column: 1, place: "", reason: reason)
    }

    init(code: Code, file: String, line: Int, column: Int, place: String, reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        // Both may quote the file, and a terminal would obey what is in it.
        self.place = place.printable
        self.reason = reason.printable
    }

    /// `FILE:LINE:COLUMN: at PLACE: reason`, as editors and people read it.
    public var description: String {
        "\(file):\(line):\(column): " + (place.isEmpty ? reason : "at \(place): \(reason)")
    }
}

extension String {
    /// The text with every control character written as a number.
    fileprivate var printable: String {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if isControl(scalar) {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
