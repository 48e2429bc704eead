import COpenSSL

/// OpenSSL keeps a queue of errors per thread. A call that may fail starts with an empty one, so that what is read after
/// it belongs to it.
enum OpenSSL {
    static func attempt<Result>(
        _ code: SignatureError.Code, _ message: @autoclosure () -> String, _ body: () -> Result?
    ) throws(SignatureError) -> Result {
        ERR_clear_error()
        if let result = body() { return result }
        let reasons = takeReasons()
        throw SignatureError(code, reasons.isEmpty ? message() : "\(message()) (OpenSSL: \(reasons))")
    }

    /// For calls whose answer is 1 or failure.
    static func require(
        _ code: SignatureError.Code, _ message: @autoclosure () -> String, _ body: () -> Int32
    ) throws(SignatureError) {
        _ = try attempt(code, message()) { body() == 1 ? true : nil }
    }

    private static func takeReasons() -> String {
        var reasons: [String] = []
        while true {
            let error = ERR_get_error()
            if error == 0 { break }
            if let reason = ERR_reason_error_string(error) { reasons.append(String(cString: reason)) }
        }
        return reasons.joined(separator: "; ")
    }

    /// The DER bytes of an `i2d_…` function, which is asked for the length first.
    static func der(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let length = write(nil)
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var cursor = buffer.baseAddress
            count = max(0, Int(write(&cursor)))
        }
    }

    /// Reads a whole buffer with a `d2i_…` function; bytes left over make it fail.
    static func parse(
        _ der: [UInt8], free: (OpaquePointer) -> Void,
        _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let owned = read(&cursor, buffer.count) else { return nil }
            if let start = buffer.baseAddress, let end = cursor, end - start == buffer.count { return owned }
            free(owned)
            return nil
        }
    }
}

/// Lends the bytes of any collection, without a copy where it is contiguous.
func withBytes<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
) rethrows -> Result {
    if let result = try bytes.withContiguousStorageIfAvailable(body) { return result }
    return try Array(bytes).withUnsafeBufferPointer(body)
}
