/// What a signed object says, apart from when and for which device it was signed: two copies with the same content say
/// the same thing (rules.md R1).
public struct SignedContent: Sendable, Hashable {
    /// The members without nulls and without the signing ones.
    public let members: JSONObject

    private static let signing: Set<String> = ["signedDate", "deviceVerification", "deviceVerificationNonce"]

    /// The content of a decoded payload.
    public init(payload: JSONObject) {
        members = payload.withoutNulls().without(Self.signing)
    }

    /// Content kept in a state.
    init(members: JSONObject) { self.members = members }

    /// A text member; nil when absent or not text.
    public func text(_ name: String) -> String? { members[name]?.stringValue }

    /// An identifier; nil when absent, empty, longer than 64 bytes or with control characters: Apple's have some 16 digits,
    /// and what identifies must fit an index.
    func identifier(_ name: String) -> String? {
        text(name).flatMap { text in
            1...64 ~= text.utf8.count && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
        }
    }

    /// An integer member; nil when absent or not a whole number.
    public func integer(_ name: String) -> Int64? { members[name]?.integerValue }

    /// A truth value; nil when absent or not one.
    public func bool(_ name: String) -> Bool? { members[name]?.boolValue }

    /// A date member; Xcode writes fractions of a millisecond. A date written as text counts as absent (rules.md R0).
    public func date(_ name: String) -> Milliseconds? { members[name].flatMap(Self.date) }

    /// A date as it stands in a payload; text is none (rules.md R0).
    public static func date(_ value: JSONValue) -> Milliseconds? {
        switch value {
        case .integer(let milliseconds): milliseconds
        // Outside 64 bits it is outside 2000 to 2100 too: any such value stands for "malformed".
        case .number(let number): Int64(exactly: number.value.rounded(.down)) ?? (number.value < 0 ? .min : .max)
        default: nil
        }
    }
}
