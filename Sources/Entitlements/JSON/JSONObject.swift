/// The members of a JSON object, in the order written. Objects here have tens of members, so a member is found by
/// walking them; equality and hashing ignore the order, as JSON does.
public struct JSONObject: Sendable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public var name: String
        /// The member's value.
        public var value: JSONValue
    }

    /// The members in the order written; names are unique.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// An object of these members; a later one of the same name replaces an earlier.
    public init(_ elements: [(String, JSONValue)]) {
        members = []
        members.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value }
    }

    /// An object of members already known to have unique names.
    init(unique members: [Member]) { self.members = members }

    /// The value of a member; nil when there is none. Setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }
    /// The names in the order written.
    public var names: [String] { members.map(\.name) }

    /// The same object without the members that are null: null means absent (rules.md R0).
    public func withoutNulls() -> JSONObject {
        guard members.contains(where: { $0.value == .null }) else { return self }
        return JSONObject(unique: members.filter { $0.value != .null })
    }

    /// The same object without the named members.
    public func without(_ names: Set<String>) -> JSONObject {
        JSONObject(unique: members.filter { !names.contains($0.name) })
    }

    /// Members sorted by the bytes of their names.
    var sorted: [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        // Copies of one payload nearly always keep their order.
        if left.members == right.members { return true }
        return left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes the members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        for member in sorted { hasher.combine(member) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members; a later one of the same name replaces an earlier.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
