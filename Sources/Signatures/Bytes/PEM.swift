/// PEM text (RFC 7468): one block of base64 between two lines that name what is in it.
enum PEM {
    static func encode(_ der: [UInt8], label: String) -> String {
        let base64 = Array(Base64.encode(der).utf8)
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: base64.count, by: 64) {
            text += String(decoding: base64[start..<min(start + 64, base64.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    /// The bytes of the first block with that label.
    static func decode(_ text: String, label: String) throws(SignatureError) -> [UInt8] {
        let lines = text.split(whereSeparator: \.isNewline).map(trimmed)
        guard let begin = lines.firstIndex(of: "-----BEGIN \(label)-----"),
            let end = lines[begin...].firstIndex(of: "-----END \(label)-----")
        else {
            throw SignatureError(.encoding, "no PEM block BEGIN \(label) … END \(label) in the text")
        }
        guard let der = Base64.decode(lines[(begin + 1)..<end].joined().utf8) else {
            throw SignatureError(.encoding, "the PEM block \(label) is not base64")
        }
        return der
    }

    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while line.first?.isWhitespace == true { line.removeFirst() }
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }
}
