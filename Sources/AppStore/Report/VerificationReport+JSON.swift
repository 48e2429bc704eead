public import Entitlements
import Signatures

extension VerificationReport {
    /// The report for machines.
    public var json: JSONObject {
        var report: JSONObject = ["verdict": isVerified ? "verified" : "refused", "kind": .string(kind.rawValue)]
        report["field"] = field.map(JSONValue.string)
        report["refusal"] = verdict.refusal.map { .object(Self.json($0)) }
        report["checks"] = .object(JSONObject(checks.map { ($0.check.rawValue, .string($0.outcome.rawValue)) }))
        if let data = verdict.verified {
            report["judgedAt"] = .integer(data.judgedAt)
            report["signedDate"] = JSONValue(data.signedDate)
            report["environment"] = JSONValue(data.environment?.rawValue)
            report["bundleId"] = JSONValue(data.bundleId)
            report["chain"] = .string(data.headerHash.description)
        }
        report["certificates"] = .array(certificates.map { .object(Self.json($0.place, $0.certificate)) })
        report["payload"] = contents.payload.map(JSONValue.object)
        report["notes"] = .array(notes.map(JSONValue.string))
        let inner = inner
        if !inner.isEmpty { report["inner"] = .array(inner.map { .object($0.json) }) }
        return report
    }

    /// What in the payload differs from Apple's documentation.
    var notes: [String] {
        contents.payload.map { PayloadField.notes(on: $0, as: kind) } ?? []
    }

    /// The proved path, or what the header carries.
    var certificates: [(place: String, certificate: Certificate)] {
        if let path = verdict.verified?.path {
            return path.certificates.map { ($0.position.rawValue, $0.certificate) }
        }
        return contents.certificates.enumerated().map { ("x5c[\($0.offset)]", $0.element) }
    }

    private static func json(_ refusal: Refusal) -> JSONObject {
        [
            "check": .string(refusal.check.rawValue), "code": .string(refusal.code.rawValue),
            "reason": .string(refusal.reason), "certificate": JSONValue(refusal.certificate?.rawValue),
            "field": JSONValue(refusal.field), "inner": JSONValue(refusal.inner),
            "retryable": .bool(refusal.isRetryable), "message": .string(refusal.message),
        ]
    }

    private static func json(_ place: String, _ certificate: Certificate) -> JSONObject {
        [
            "place": .string(place), "subject": .string(certificate.subject), "issuer": .string(certificate.issuer),
            "serialNumber": .string(certificate.serialNumber), "notBefore": .integer(certificate.notBefore),
            "notAfter": .integer(certificate.notAfter), "sha256": .string(certificate.fingerprint.description),
        ]
    }
}
