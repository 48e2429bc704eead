import AppStore
import AppStoreSimulator
import Entitlements
import Signatures

/// The C loop around OpenSSL's verification, on the input of a signed transaction.
final class OpenSSLYardstick {
    private let program: ChildProcess
    /// How many verifications the present measurement is.
    private var count = 0

    init(_ transaction: String, _ purchases: Purchases, _ bench: Bench) throws {
        let jws = try CompactJWS(transaction.utf8)
        let key = try purchases.authority.leaf.publicKey()
        let arguments = [
            try bench.scratch.write(key.der(), to: "es256.key"),
            try bench.scratch.write(Array(jws.signingInput), to: "es256.input"),
            try bench.scratch.write(Self.der(of: jws.signature()), to: "es256.signature"),
        ]
        program = try Yardsticks(scratch: bench.scratch).start(.es256, arguments)
    }

    /// Microseconds a verification, measured for about so many seconds.
    func microseconds(a slice: Double) throws -> Double {
        try begin(a: slice)
        return try end().wall
    }

    /// Lets it measure without waiting.
    func begin(a slice: Double) throws {
        count = max(100, Int(slice * 12_000))
        try program.send("\(count)")
    }

    /// Waits for what ``begin(a:)`` started: microseconds a verification, by the clock and of the processor.
    func end() throws -> (wall: Double, cpu: Double) {
        let numbers = try program.numbers()
        guard numbers.count == 2 else { throw BenchmarkError("es256 answered something else") }
        return (numbers[0] / 1000 / Double(count), numbers[1] / 1000 / Double(count))
    }

    /// The signature as OpenSSL wants it: a SEQUENCE of two INTEGERs (RFC 3279 section 2.2.3).
    private static func der(of raw: [UInt8]) -> [UInt8] {
        func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
            var bytes = Array(half.drop { $0 == 0 })
            if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
            return [0x02, UInt8(bytes.count)] + bytes
        }
        let content = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(content.count)] + content
    }
}
