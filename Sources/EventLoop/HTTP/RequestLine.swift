/// The first line of a request: method, target and version, one space between (RFC 9112 section 3).
struct RequestLine {
    let method: String
    let target: String
    let path: String
    let query: HTTPQuery
    let minorVersion: UInt8

    init(_ line: ArraySlice<UInt8>) throws(HTTPProblem) {
        let parts = line.split(separator: .space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenCharacter) else {
            throw .malformed("The request line must be a method, a target and a version.")
        }
        let version = parts[2]
        guard version.count == 8, version.starts(with: "HTTP/".utf8) else {
            throw .malformed("The request line must end with an HTTP version.")
        }
        let digits = version.suffix(3)
        guard digits.elementsEqual("1.0".utf8) || digits.elementsEqual("1.1".utf8) else { throw .versionNotSupported }
        minorVersion = digits[digits.endIndex - 1] - UInt8(ascii: "0")

        let target = parts[1]
        guard !target.isEmpty, target.allSatisfy({ $0 > .space && $0 < 0x7F }) else {
            throw .malformed("The request target must be printable ASCII without spaces.")
        }
        guard let origin = Self.originForm(target) else {
            throw .malformed("The request target must begin with a slash.")
        }
        let mark = origin.firstIndex(of: UInt8(ascii: "?"))
        let path = origin[..<(mark ?? origin.endIndex)]
        guard !path.contains(UInt8(ascii: "%")) || PercentEncoding.decode(path, plusIsSpace: false) != nil else {
            throw .malformed("The path has a percent sign that is not followed by the hexadecimal code of a character.")
        }
        guard let query = mark.map({ HTTPQuery(origin[($0 + 1)...]) }) ?? HTTPQuery() else {
            throw .malformed(
                "The query has a percent sign that is not followed by the hexadecimal code of a character.")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        self.target = String(decoding: target, as: UTF8.self)
        self.path = String(decoding: path, as: UTF8.self)
        self.query = query
    }

    /// The part from the path on; of a target in absolute form too, which every server must accept.
    private static func originForm(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if target.first == UInt8(ascii: "/") || target.elementsEqual("*".utf8) { return target }
        for scheme in ["http://", "https://"] where target.starts(with: scheme.utf8) {
            let authority = target.dropFirst(scheme.utf8.count)
            guard let slash = authority.firstIndex(of: UInt8(ascii: "/")), slash > authority.startIndex else {
                return nil
            }
            return authority[slash...]
        }
        return nil
    }
}

extension UInt8 {
    /// A character of a method or a field name (RFC 9110 section 5.6.2).
    var isTokenCharacter: Bool { tokenCharacters[Int(self)] }
}

private let tokenCharacters: [Bool] = {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    return (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: marks.contains(byte)
        }
    }
}()
