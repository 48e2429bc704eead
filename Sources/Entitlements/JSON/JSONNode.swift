/// A value in an operator's file, read strictly: whatever is not as it should be is an error with its place.
public struct JSONNode: Sendable {
    private let document: JSONDocument
    private let path: [JSONPathStep]
    /// The value as it was written.
    public let value: JSONValue

    init(document: JSONDocument, path: [JSONPathStep], value: JSONValue) {
        self.document = document
        self.path = path
        self.value = value
    }

    /// The error that this value is wrong.
    public func error(_ code: DocumentError.Code, _ reason: String) -> DocumentError {
        document.error(code, at: path, reason)
    }

    private func wrongKind(_ expected: String) -> DocumentError {
        error(.wrongKind, "this is \(value.kindName), and must be \(expected)")
    }

    private func child(_ step: JSONPathStep, _ value: JSONValue) -> JSONNode {
        JSONNode(document: document, path: path + [step], value: value)
    }

    /// The members of an object whose names are chosen by the operator, in the order written. Throws `wrongKind`, or
    /// `outOfRange` for more than `limit`.
    public func members(limit: Int) throws(DocumentError) -> [(name: String, node: JSONNode)] {
        guard let object = value.objectValue else { throw wrongKind("an object") }
        guard object.members.count <= limit else {
            throw error(.outOfRange, "\(object.members.count) members; at most \(limit) are taken")
        }
        return object.members.map { ($0.name, child(.member($0.name), $0.value)) }
    }

    /// The members of an object of the format's own names. Throws `wrongKind`, or `unknownKey` at a name that is neither
    /// required nor optional, or `missingKey`.
    public func fields(required: [String] = [], optional: [String] = []) throws(DocumentError) -> JSONFields {
        let allowed = required + optional
        var nodes: [String: JSONNode] = [:]
        for (name, node) in try members(limit: .max) {
            guard allowed.contains(name) else {
                throw node.error(.unknownKey, "unknown key; known here: \(allowed.sorted().joined(separator: ", "))")
            }
            nodes[name] = node
        }
        let fields = JSONFields(owner: self, nodes: nodes)
        for name in required { _ = try fields.required(name) }
        return fields
    }

    /// The elements of an array. Throws `wrongKind`, or `outOfRange` for more than `limit`.
    public func elements(limit: Int) throws(DocumentError) -> [JSONNode] {
        guard let elements = value.arrayValue else { throw wrongKind("an array") }
        guard elements.count <= limit else {
            throw error(.outOfRange, "\(elements.count) elements; at most \(limit) are taken")
        }
        return elements.enumerated().map { child(.index($0.offset), $0.element) }
    }

    /// A text. Throws `wrongKind`, or `outOfRange` when it is empty or longer than `limit` bytes.
    public func text(limit: Int = 1024) throws(DocumentError) -> String {
        guard let text = value.stringValue else { throw wrongKind("a string") }
        guard !text.isEmpty, text.utf8.count <= limit else {
            throw error(.outOfRange, "this text has \(text.utf8.count) bytes, and must have 1 to \(limit)")
        }
        return text
    }

    /// A whole number. Throws `wrongKind`, or `outOfRange` outside `range`.
    public func integer(in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
        guard let integer = value.integerValue else { throw wrongKind("a whole number") }
        guard range.contains(integer) else {
            throw error(.outOfRange, "\(integer) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// True or false. Throws `wrongKind`.
    public func bool() throws(DocumentError) -> Bool {
        guard let bool = value.boolValue else { throw wrongKind("true or false") }
        return bool
    }

    /// One of a closed set of words. Throws `wrongKind` or `invalidValue`.
    public func word<Word: RawRepresentable<String> & CaseIterable>(
        _: Word.Type = Word.self
    ) throws(DocumentError) -> Word {
        guard let text = value.stringValue else { throw wrongKind("a string") }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw error(.invalidValue, "\"\(text)\" is unknown; write one of \(words)")
        }
        return word
    }

    /// An object kept as it is: odd data inside is not the file's fault. Throws `wrongKind`.
    public func object() throws(DocumentError) -> JSONObject {
        guard let object = value.objectValue else { throw wrongKind("an object") }
        return object
    }
}

/// The members of an object of a known format.
public struct JSONFields: Sendable {
    let owner: JSONNode
    let nodes: [String: JSONNode]

    /// A member that may be left out; null stays null.
    public subscript(name: String) -> JSONNode? { nodes[name] }

    /// A member that may be left out or null; nil for both.
    public func present(_ name: String) -> JSONNode? {
        nodes[name].flatMap { $0.value == .null ? nil : $0 }
    }

    /// A member that must be there. Throws `missingKey`.
    public func required(_ name: String) throws(DocumentError) -> JSONNode {
        guard let node = nodes[name] else { throw owner.error(.missingKey, "\"\(name)\" is missing; add it") }
        return node
    }
}

extension JSONFields {
    /// The members of an object of a foreign format, of which only some matter. Throws `wrongKind`.
    public init(foreign node: JSONNode) throws(DocumentError) {
        let members = try node.members(limit: .max)
        self.init(
            owner: node, nodes: Dictionary(members.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first }))
    }
}
