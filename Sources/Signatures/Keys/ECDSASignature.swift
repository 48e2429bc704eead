/// The two forms of an ECDSA signature: fixed-size `r ‖ s` as JWS writes it (RFC 7518 section 3.4), and the DER sequence
/// of two integers that OpenSSL takes. All lengths here stay below 128, so one length byte is enough.
enum ECDSASignature {
    /// Of an array, since the slices of any other collection cost more than all that is done here.
    static func der(raw: [UInt8], curve: EllipticCurve) -> [UInt8]? {
        guard raw.count == 2 * curve.size else { return nil }
        var der: [UInt8] = []
        der.reserveCapacity(2 * curve.size + 8)
        der.append(0x30)
        der.append(0)
        append(raw[..<curve.size], to: &der)
        append(raw[curve.size...], to: &der)
        der[1] = UInt8(der.count - 2)
        return der
    }

    private static func append(_ number: ArraySlice<UInt8>, to der: inout [UInt8]) {
        let digits = number.drop { $0 == 0 }
        // A first bit of 1 would make the DER integer negative; zero is one byte.
        let needsZero = digits.first.map { $0 & 0x80 != 0 } ?? true
        der.append(0x02)
        der.append(UInt8(digits.count + (needsZero ? 1 : 0)))
        if needsZero { der.append(0) }
        der.append(contentsOf: digits)
    }

    static func raw(der: some Collection<UInt8>, curve: EllipticCurve) -> [UInt8]? {
        var rest = ArraySlice(der)
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count,
            let first = popInteger(&rest, size: curve.size), let second = popInteger(&rest, size: curve.size),
            rest.isEmpty
        else { return nil }
        return first + second
    }

    private static func popInteger(_ der: inout ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        guard der.popFirst() == 0x02, let length = der.popFirst(), Int(length) <= der.count else { return nil }
        let digits = der.prefix(Int(length)).drop { $0 == 0 }
        der.removeFirst(Int(length))
        guard digits.count <= size else { return nil }
        return [UInt8](repeating: 0, count: size - digits.count) + digits
    }
}
