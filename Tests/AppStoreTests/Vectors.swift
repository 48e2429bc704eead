import AppStore
import Entitlements
import Signatures
import TestSupport

/// The genuine signed objects of the reference data, with the verdict that their list (SOURCES.md) gives.
struct Vector: Sendable, CustomStringConvertible {
    let file: String
    let kind: SignedDataKind
    let root: String
    let verdict: String

    var description: String { file }

    func text() throws -> String {
        try Self.text(file)
    }

    static func text(_ file: String) throws -> String {
        var text = try SharedFiles.text("vectors/\(file)")
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Rows of the table "Signed objects". Empty when the list is not there, which a test of its own reports.
    static let all: [Vector] = {
        guard let list = try? SharedFiles.text("vectors/SOURCES.md") else { return [] }
        return list.split(separator: "\n").compactMap { line -> Vector? in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
                String($0).trimmingSpaces()
            }
            guard cells.count >= 9, cells[0].hasSuffix(".jws"), let kind = SignedDataKind(rawValue: cells[1]) else {
                return nil
            }
            return Vector(file: cells[0], kind: kind, root: cells[3], verdict: cells[4])
        }
    }()

    /// The verifier's settings for each root of the list.
    var setting: (verifier: SignedDataVerifier, app: AppIdentity) {
        get throws {
            switch root {
            case "testCA":
                let root = try Certificate(der: SharedFiles.bytes("vectors/roots/apple-library-testCA.der"))
                return (
                    SignedDataVerifier(roots: [TrustedRoot(root, for: [.sandbox])]),
                    AppIdentity(bundleId: "com.example", appAppleId: 1234, environments: [.sandbox])
                )
            case "none":
                let bundleId = "com.example.naturelab.backyardbirds.example"
                return (
                    SignedDataVerifier(takesDevelopmentData: true),
                    AppIdentity(bundleId: bundleId, appAppleId: nil, environments: [.xcode])
                )
            default:
                return (SignedDataVerifier(), Self.session)
            }
        }
    }

    /// The app of the genuine notifications.
    static let session = AppIdentity(
        bundleId: "com.loki-project.loki-messenger", appAppleId: 1_470_168_868, environments: [.sandbox])
}

/// The time of the verdicts in the list: 2026-12-01.
let listTime: Milliseconds = 1_796_083_200_000

extension Verdict {
    /// The status that Apple's Python library has for this verdict, as the list writes it.
    var appleStatus: String {
        guard let refusal else { return "OK" }
        switch refusal.check {
        case .bundleId, .appAppleId, .kind: return "INVALID_APP_IDENTIFIER"
        case .environment: return "INVALID_ENVIRONMENT"
        case .chainLength: return "INVALID_CHAIN_LENGTH"
        case .certificate: return "INVALID_CERTIFICATE"
        case .format, .payload, .header, .algorithm, .chain, .validity, .signature: return "VERIFICATION_FAILURE"
        }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
