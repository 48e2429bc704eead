/// A JSON value as it was written: integers stay exact, text stays text, unknown members stay.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A whole number that fits 64 bits.
    case integer(Int64)
    /// Any other number; the text as written decides equality.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A number that is not a 64-bit integer: a fraction, an exponent, or too large.
public struct JSONNumber: Sendable, Hashable {
    /// The text as it was written.
    public let text: String
    /// The nearest double.
    public let value: Double

    init(text: String, value: Double) {
        self.text = text
        self.value = value
    }

    /// A number from a double; nil when it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(text: "\(value)", value: value)
    }
}

extension JSONValue {
    /// The text, if this is a string.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if this is a whole number in range. A fraction is no integer.
    public var integerValue: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The truth value, if this is one.
    public var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements, if this is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object.
    public var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// What kind of value this is, for messages: "a string", "null", …
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// A string, or null.
    public init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
    /// An integer, or null.
    public init(_ integer: Int64?) { self = integer.map(JSONValue.integer) ?? .null }
    /// A truth value, or null.
    public init(_ bool: Bool?) { self = bool.map(JSONValue.bool) ?? .null }
}
