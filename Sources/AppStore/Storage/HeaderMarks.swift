import Signatures

/// Marks that stand for the headers of objects inside a stored payload. They begin with a control character, which no
/// JSON text contains unescaped: a mark cannot be mistaken for something that was signed.
enum HeaderMarks {
    /// The same header as the outer object has: the usual case.
    private static let sameHeader: UInt8 = 0x01
    /// Another header, whose hash follows.
    private static let otherHeader: UInt8 = 0x02
    private static let hashLength = 32

    static func replaceHeaders(in payload: [UInt8], of inner: [VerifiedData], outer: SHA256.Digest) -> [UInt8] {
        var stored: [UInt8] = []
        var rest = payload[...]
        // In the order in which they stand. An object written with escapes is not found and stays as it is: exact, only
        // not shorter.
        let found = inner.compactMap { data in
            firstRange(of: data.jws.text, in: payload).map { (start: $0, data: data) }
        }
        for (start, data) in found.sorted(by: { $0.start < $1.start }) where start >= rest.startIndex {
            stored += rest[..<start]
            stored += data.headerHash == outer ? [sameHeader] : [otherHeader] + data.headerHash.bytes
            rest = rest[(start + data.jws.headerText.count)...]
        }
        return stored + rest
    }

    static func restoreHeaders(
        in stored: [UInt8], outer: SHA256.Digest, headers: (SHA256.Digest) -> [UInt8]?
    ) -> [UInt8]? {
        var payload: [UInt8] = []
        var rest = stored[...]
        while let mark = rest.firstIndex(where: { $0 == sameHeader || $0 == otherHeader }) {
            payload += rest[..<mark]
            var hash = outer
            var end = mark + 1
            if stored[mark] == otherHeader {
                guard let other = SHA256.Digest(rest[end...].prefix(hashLength)) else { return nil }
                hash = other
                end += hashLength
            }
            guard let header = headers(hash) else { return nil }
            payload += header
            rest = rest[end...]
        }
        return payload + rest
    }

    private static func firstRange(of needle: [UInt8], in hay: [UInt8]) -> Int? {
        guard let first = needle.first, needle.count <= hay.count else { return nil }
        return (0...(hay.count - needle.count)).first { start in
            hay[start] == first && hay[start..<(start + needle.count)].elementsEqual(needle)
        }
    }
}
