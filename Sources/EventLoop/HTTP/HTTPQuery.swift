/// The parameters of a request's query, decoded, in the order they came.
public struct HTTPQuery: Sendable, Equatable {
    private struct Parameter: Sendable, Equatable {
        let name: String
        let value: String
    }

    private var parameters: [Parameter] = []

    init() {}

    /// Nil if an escape is malformed, hides a NUL or does not decode to UTF-8.
    init?(_ bytes: ArraySlice<UInt8>) {
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else { return nil }
            guard let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : [], plusIsSpace: true) else {
                return nil
            }
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// Whether there are no parameters.
    public var isEmpty: Bool { parameters.isEmpty }

    /// The names of all parameters, in order; a repeated one shows as often as it came.
    public var names: [String] { parameters.map(\.name) }

    /// The value of the first parameter of this name; empty for a name without `=`.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The values of all parameters of this name, in order.
    public func values(of name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }
}

/// Percent-encoding of targets (RFC 3986 section 2.1).
enum PercentEncoding {
    /// Nil if an escape is malformed, hides a NUL or the result is not UTF-8.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex,
                    let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue,
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
