/// Where a server listens: a numeric address and a port, as `127.0.0.1:8080` or `[::1]:8080`.
public struct ListenSetting: Sendable, Hashable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address, without brackets.
    public let address: String
    /// 0 lets the system choose.
    public let port: Int

    /// An address and a port.
    public init(address: String, port: Int) {
        self.address = address
        self.port = port
    }

    /// The place a text names; nil unless it has an address and a port from 0 to 65535.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            0...65535 ~= port
        else { return nil }
        var address = text[..<colon]
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
            guard address.contains(":") else { return nil }
        } else if address.contains(":") {
            return nil
        }
        let digits = Set("0123456789abcdefABCDEF.:")
        guard !address.isEmpty, address.allSatisfy(digits.contains) else { return nil }
        self.init(address: String(address), port: port)
    }

    /// As it is written.
    public var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
