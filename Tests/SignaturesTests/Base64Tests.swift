import Signatures
import Testing

@Suite struct Base64Tests {
    @Test(
        "RFC 4648 section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func knownText(plain: String, text: String) {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(Base64.decode(text.utf8) == Array(plain.utf8))
        let unpadded = String(text.prefix { $0 != "=" })
        #expect(Base64URL.encode(plain.utf8) == unpadded)
        #expect(Base64URL.decode(unpadded.utf8) == Array(plain.utf8))
    }

    @Test func alphabets() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64.decode("--__".utf8) == nil)
        #expect(Base64URL.decode("++//".utf8) == nil)
    }

    @Test(
        "not strict",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "====", "Zm9v\n", " Zm9v", "Zm9=v", "Zh==", "Zm9=", "Zm9v====", "Zm\u{e9}v",
        ])
    func refusedBase64(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test("not strict", arguments: ["Z", "Zg==", "Zm8=", "Zh", "Zm9", "Zm9v\n", "Zm 9v", "Zm9vY", "Zm9v.", "Zm\u{0}v"])
    func refusedBase64URL(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func everyLengthComesBack() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(state: seed)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes, "seed \(seed)")
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes, "seed \(seed)")
        }
    }

    /// Whatever decodes is exactly what the encoder writes: stored payloads can be turned back into the signed text.
    @Test func whatDecodesEncodesToItself() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(state: seed)
        let letters = Array("ABCDwxyz0189-_".utf8)
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<9, using: &generator)).compactMap { _ in
                letters.randomElement(using: &generator)
            }
            if let bytes = Base64URL.decode(text) {
                #expect(Array(Base64URL.encode(bytes).utf8) == text, "seed \(seed)")
            }
        }
    }
}

/// SplitMix64: repeatable from the seed that a failure prints.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
