public import Entitlements

/// A field that Apple documents, with the JSON form it has (signed-data.md sections 1 to 4).
public struct PayloadField: Sendable {
    /// The forms of fields.
    public enum Form: String, Sendable {
        /// Text; all ids are text, although they look like numbers.
        case string
        /// A whole number.
        case integer
        /// Milliseconds since 1970 UTC; Xcode writes fractions.
        case date
        /// True or false.
        case bool
        /// An object with fields of its own.
        case object
        /// A list.
        case array

        func accepts(_ value: JSONValue) -> Bool {
            switch (self, value) {
            case (.string, .string), (.integer, .integer), (.date, .integer), (.date, .number), (.bool, .bool),
                (.object, .object), (.array, .array):
                true
            default:
                false
            }
        }
    }

    /// Apple's name.
    public let name: String
    /// The form it must have.
    public let form: Form

    /// What in a payload differs from Apple's documentation, one sentence each. Nothing of it is an error (rules.md R8):
    /// null counts as absent, unknown fields are kept, and a value of another form is not used.
    public static func notes(on payload: JSONObject, as kind: SignedDataKind) -> [String] {
        notes(on: payload, fields: PayloadTables.fields(of: kind), path: "")
    }

    /// The documented fields of a kind.
    public static func documented(for kind: SignedDataKind) -> [PayloadField] {
        PayloadTables.fields(of: kind)
    }

    private static func notes(on object: JSONObject, fields: [PayloadField], path: String) -> [String] {
        object.members.flatMap { member -> [String] in
            let name = path + member.name
            guard member.value != .null else { return [] }
            guard let field = fields.first(where: { $0.name == member.name }) else {
                return ["\(name): not documented; kept, without effect"]
            }
            guard field.form.accepts(member.value) else {
                return ["\(name): is \(member.value.kindName), documented as \(field.form.rawValue); not used"]
            }
            guard let nested = member.value.objectValue, let nestedFields = PayloadTables.nested[member.name] else {
                return []
            }
            return notes(on: nested, fields: nestedFields, path: name + ".")
        }
    }
}
