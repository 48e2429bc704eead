public import Entitlements
import Signatures

/// What a client has seen: opaque to it, signed so that every instance may believe it. It is no credential.
public struct Cursor: Sendable, Hashable {
    /// The view it saw.
    public var order: ViewOrder
    /// The stream it belongs to, shortened.
    public var streamTag: UInt64
    /// When that view changes by time alone; a poll that comes back needs no read to know.
    public var nextChangeAt: Milliseconds?

    /// A cursor.
    public init(order: ViewOrder, streamTag: UInt64, nextChangeAt: Milliseconds?) {
        self.order = order
        self.streamTag = streamTag
        self.nextChangeAt = nextChangeAt
    }
}

/// Writes and reads cursors. Two keys are valid at a time, so that keys can change under connected clients.
public struct CursorCodec: Sendable {
    /// An HMAC key with its number.
    public struct Key: Sendable {
        /// Stands in the cursor.
        public var number: UInt8
        /// At least 32 random bytes.
        public var secret: [UInt8]

        /// A key.
        public init(number: UInt8, secret: [UInt8]) {
            self.number = number
            self.secret = secret
        }
    }

    private static let format: UInt8 = 1
    private static let codeLength = 16
    private let current: Key
    private let previous: Key?

    /// A codec that writes with `current` and reads both.
    public init(current: Key, previous: Key? = nil) {
        self.current = current
        self.previous = previous
    }

    /// The text a client keeps.
    public func encode(_ cursor: Cursor) -> String {
        var bytes: [UInt8] = [Self.format, current.number]
        bytes.reserveCapacity(2 + 6 * 8 + Self.codeLength)
        let order = cursor.order
        // A view that never changes by itself has the greatest instant there is.
        for value in [order.epoch, order.activation, order.version, order.asOf, cursor.nextChangeAt ?? .max] {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: cursor.streamTag.bigEndian) { bytes.append(contentsOf: $0) }
        bytes += code(for: bytes, key: current)
        return Base64URL.encode(bytes)
    }

    /// The cursor behind a text; nil when it is damaged, foreign or of an unknown key: it then counts as none.
    public func decode(_ text: String) -> Cursor? {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text.utf8),
            bytes.count == 2 + 6 * 8 + Self.codeLength,
            bytes[0] == Self.format,
            let key = [current, previous].compactMap({ $0 }).first(where: { $0.number == bytes[1] })
        else { return nil }
        let message = bytes.dropLast(Self.codeLength)
        guard constantTimeEqual(code(for: Array(message), key: key), bytes.suffix(Self.codeLength)) else { return nil }
        func integer(_ index: Int) -> UInt64 {
            bytes[2 + index * 8..<10 + index * 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        func signed(_ index: Int) -> Int64 { Int64(bitPattern: integer(index)) }
        return Cursor(
            order: ViewOrder(epoch: signed(0), activation: signed(1), version: signed(2), asOf: signed(3)),
            streamTag: integer(5), nextChangeAt: signed(4) == .max ? nil : signed(4))
    }

    private func code(for message: [UInt8], key: Key) -> ArraySlice<UInt8> {
        HMACSHA256.authenticationCode(for: message, key: key.secret).prefix(Self.codeLength)
    }
}
