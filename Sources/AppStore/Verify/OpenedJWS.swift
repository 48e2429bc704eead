import Entitlements
import Signatures

/// A signed object taken apart, nothing of it believed yet: steps 1 and 2 of signed-data.md section 5.
struct OpenedJWS {
    let jws: CompactJWS
    let payload: [UInt8]
    let object: JSONObject

    init(_ text: String, limits: SignedDataLimits) throws(Refusal) {
        guard text.utf8.count <= limits.bytes else {
            throw Refusal(.format, .tooLong, "the signed object is longer than \(limits.bytes) bytes")
        }
        do { jws = try CompactJWS(text.utf8) } catch { throw Refusal(.format, .notThreeParts, error.message) }
        do { payload = try jws.payload() } catch { throw Refusal(.format, .notBase64URL, error.message) }
        object = try Self.object(payload, check: .payload, part: "payload", limits: limits)
    }

    static func object(
        _ bytes: [UInt8], check: Refusal.Check, part: String, limits: SignedDataLimits
    ) throws(Refusal) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: limits.bytes, depth: limits.depth))
        } catch {
            throw Refusal(check, .notJSON, "the \(part) is not JSON that can be read: \(error)")
        }
        guard let object = value.objectValue else {
            throw Refusal(check, .notJSON, "the \(part) is \(value.kindName), it must be an object")
        }
        return object
    }
}
