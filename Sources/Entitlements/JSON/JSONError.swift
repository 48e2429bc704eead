/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable {
        case unexpectedEnd, unexpectedCharacter, invalidNumber, invalidString, invalidUTF8, duplicateName
        case tooDeep, tooLong, trailingCharacters
    }

    /// What is wrong.
    public let code: Code
    /// Line, from 1.
    public let line: Int
    /// Column in bytes, from 1.
    public let column: Int
    /// A sentence for people.
    public let message: String

    /// The message with its place.
    public var description: String { "line \(line), column \(column): \(message)" }
}

/// What a JSON text may be at most.
public struct JSONLimits: Sendable {
    /// Bytes in all.
    public var bytes: Int
    /// Arrays and objects inside each other.
    public var depth: Int

    /// Limits; the defaults suit a request body (256 kB, 64 levels).
    public init(bytes: Int = 256 * 1024, depth: Int = 64) {
        self.bytes = bytes
        self.depth = depth
    }

    /// For files that an operator hands over: 64 MB.
    public static let file = JSONLimits(bytes: 64 << 20)
}
