import CLibpq

extension LibpqConnection {
    /// Puts bytes into libpq's buffer. False if the copy is over, for example because the server refused a row.
    func putCopyData(_ bytes: UnsafeRawBufferPointer) -> Bool {
        PQputCopyData(owned, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count)) == 1
    }

    /// Ends the copy; with a reason the server throws away what it got.
    func putCopyEnd(failing reason: String?) -> Bool {
        guard let reason else { return PQputCopyEnd(owned, nil) == 1 }
        return PQputCopyEnd(owned, reason) == 1
    }

    enum CopyRead {
        case row, wait, end
    }

    /// Appends the next row that has arrived. At the end, or after an error, the result says what happened.
    func readCopyData(into chunk: inout [UInt8]) -> CopyRead {
        var row: UnsafeMutablePointer<CChar>?
        let length = PQgetCopyData(owned, &row, 1)
        guard length > 0, let row else { return length == 0 ? .wait : .end }
        defer { PQfreemem(row) }
        chunk.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(length)))
        return .row
    }
}
