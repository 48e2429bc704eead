/// A source of randomness that gives the same numbers for the same seed (SplitMix64; Steele, Lea, Flood 2014).
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A UUID of version 4, lower case as Apple writes it.
    mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].flatMap { word in
            stride(from: 60, through: 0, by: -4).map { Array("0123456789abcdef")[Int(word >> UInt64($0) & 15)] }
        }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Whether something of this probability happens.
    mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && Double.random(in: 0..<1, using: &self) < probability
    }
}
