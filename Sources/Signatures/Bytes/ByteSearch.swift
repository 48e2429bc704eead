import Glibc

/// Search in bytes with the C library's vector code: kilobytes are looked through for every object stored or read back.
public enum ByteSearch {
    /// The index of the first such byte at or after `start`; nil when there is none.
    public static func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, start < buffer.count,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// The index at which the first occurrence of the part begins; nil when there is none or the part is empty.
    public static func firstIndex(of part: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = part.first else { return nil }
        var start = 0
        while let candidate = firstIndex(of: first, in: bytes, from: start), candidate + part.count <= bytes.count {
            if bytes[candidate..<(candidate + part.count)].elementsEqual(part) { return candidate }
            start = candidate + 1
        }
        return nil
    }
}
