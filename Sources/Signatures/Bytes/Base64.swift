/// Base64 with the standard alphabet and padding (RFC 4648 section 4), strict: no white space, no missing or extra
/// padding, no bits that the encoder would not have written. So decoding and encoding again gives the same text.
public enum Base64 {
    /// The text of the bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.standard.encode(bytes, padded: true)
    }

    /// The bytes of the text; nil when it is not strict base64.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        withBytes(text) { text in
            guard text.count % 4 == 0 else { return nil }
            var digits = text[...]
            while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
            return Base64Alphabet.standard.decode(UnsafeBufferPointer(rebasing: digits))
        }
    }
}

/// Base64 with the URL alphabet and without padding (RFC 4648 section 5, as RFC 7515 uses it), strict in the same way.
public enum Base64URL {
    /// The text of the bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.url.encode(bytes, padded: false)
    }

    /// The bytes of the text; nil when it is not strict base64url.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        withBytes(text) { Base64Alphabet.url.decode($0) }
    }
}

/// One of the two alphabets, with the table that turns a letter back into its six bits.
private struct Base64Alphabet: Sendable {
    static let standard = Base64Alphabet(last: "+/")
    static let url = Base64Alphabet(last: "-_")

    private let letters: [UInt8]
    /// Six bits per letter; bytes that are no letter have the two top bits set.
    private let values: [UInt8]

    private init(last: String) {
        letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: some Collection<UInt8>, padded: Bool) -> String {
        withBytes(bytes) { bytes in
            String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                letters.withUnsafeBufferPointer { write(bytes, with: $0, to: text, padded: padded) }
            }
        }
    }

    private func write(
        _ bytes: UnsafeBufferPointer<UInt8>, with letters: UnsafeBufferPointer<UInt8>,
        to text: UnsafeMutableBufferPointer<UInt8>, padded: Bool
    ) -> Int {
        var output = 0
        func put(_ sixBits: UInt32) {
            text[output] = letters[Int(sixBits & 63)]
            output += 1
        }
        var input = 0
        while input + 3 <= bytes.count {
            let group = UInt32(bytes[input]) << 16 | UInt32(bytes[input + 1]) << 8 | UInt32(bytes[input + 2])
            put(group >> 18)
            put(group >> 12)
            put(group >> 6)
            put(group)
            input += 3
        }
        let rest = bytes.count - input
        guard rest > 0 else { return output }
        let group = UInt32(bytes[input]) << 16 | (rest == 2 ? UInt32(bytes[input + 1]) << 8 : 0)
        put(group >> 18)
        put(group >> 12)
        if rest == 2 { put(group >> 6) }
        if padded {
            for _ in rest..<3 {
                text[output] = UInt8(ascii: "=")
                output += 1
            }
        }
        return output
    }

    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        var isStrict = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 2) { bytes, count in
            (count, isStrict) = values.withUnsafeBufferPointer { read(text, with: $0, to: bytes) }
        }
        return isStrict ? bytes : nil
    }

    private func read(
        _ text: UnsafeBufferPointer<UInt8>, with values: UnsafeBufferPointer<UInt8>,
        to bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isStrict: Bool) {
        var output = 0
        var input = 0
        // Every value is or-ed in, so that one look at the end tells whether there was a byte that is no letter.
        var seen: UInt8 = 0
        func next() -> UInt32 {
            let value = values[Int(text[input])]
            input += 1
            seen |= value
            return UInt32(value)
        }
        func put(_ byte: UInt32) {
            bytes[output] = UInt8(truncatingIfNeeded: byte)
            output += 1
        }
        while input + 4 <= text.count {
            let group = next() << 18 | next() << 12 | next() << 6 | next()
            put(group >> 16)
            put(group >> 8)
            put(group)
        }
        var unused: UInt32 = 0
        switch text.count - input {
        case 2:
            let group = next() << 6 | next()
            put(group >> 4)
            unused = group & 0xF
        case 3:
            let group = next() << 12 | next() << 6 | next()
            put(group >> 10)
            put(group >> 2)
            unused = group & 0x3
        default:
            break
        }
        return (output, seen & 0xC0 == 0 && unused == 0)
    }
}
