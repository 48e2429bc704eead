import Signatures

/// Marks that stand for the headers of objects inside a stored payload. They begin with a control character, which no
/// JSON text contains unescaped: a mark cannot be mistaken for something that was signed.
enum HeaderMarks {
    private static let mark: UInt8 = 0x01
    /// Behind the mark: the same header as the outer object has, which is the usual case.
    private static let sameHeader: UInt8 = 0x01
    /// Behind the mark: another header, whose hash follows.
    private static let otherHeader: UInt8 = 0x02
    private static let hashLength = 32

    static func replaceHeaders(in payload: [UInt8], of inner: [VerifiedData], outer: SHA256.Digest) -> [UInt8] {
        // An object written with escapes is not found and stays as it is: exact, only not shorter.
        let found = inner.compactMap { data in
            ByteSearch.firstIndex(of: data.jws.text, in: payload).map { (start: $0, data: data) }
        }
        var stored: [UInt8] = []
        var position = 0
        for (start, data) in found.sorted(by: { $0.start < $1.start }) where start >= position {
            stored += payload[position..<start]
            stored += data.headerHash == outer ? [mark, sameHeader] : [mark, otherHeader] + data.headerHash.bytes
            position = start + data.jws.headerText.count
        }
        return stored + payload[position...]
    }

    static func restoreHeaders(
        in stored: [UInt8], outer: SHA256.Digest, headers: (SHA256.Digest) -> [UInt8]?
    ) -> [UInt8]? {
        var payload: [UInt8] = []
        var position = 0
        while let start = ByteSearch.firstIndex(of: mark, in: stored, from: position) {
            payload += stored[position..<start]
            guard let (hash, end) = readMark(in: stored, at: start, outer: outer), let header = headers(hash) else {
                return nil
            }
            payload += header
            position = end
        }
        // Most payloads hold no object and come back as they are.
        return position == 0 ? stored : payload + stored[position...]
    }

    private static func readMark(
        in stored: [UInt8], at start: Int, outer: SHA256.Digest
    ) -> (hash: SHA256.Digest, end: Int)? {
        let rest = stored[(start + 1)...]
        switch rest.first {
        case sameHeader:
            return (outer, start + 2)
        case otherHeader:
            return SHA256.Digest(rest.dropFirst().prefix(hashLength)).map { ($0, start + 2 + hashLength) }
        default:
            return nil
        }
    }
}
