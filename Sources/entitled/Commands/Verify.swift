import AppStore
import Entitlements
import Foundation
import Signatures

/// `entitled verify`: is this signed object genuine, and if not, what is wrong with it?
struct Verify: Command {
    static let name = "verify"
    static let summary = "check signed data of the App Store and show what is in it"
    static let help = """
        Usage: entitled verify FILE… [options]

        Checks signed transactions, renewal infos, notifications and app transactions: one JWS per line, from files or,
        with -, from standard input. Prints each check, the certificates and the decoded fields.

          --root FILE          trust this root certificate (DER or PEM) instead of Apple's; may repeat
          --bundle-id B        the app it must belong to
          --app-apple-id N     the app's number in App Store Connect (compared for Production only)
          --environment E      Production, Sandbox, Xcode or LocalTesting; for the last two the signature is not looked at
          --kind K             transaction, renewalInfo, notification or appTransaction; otherwise taken from its fields
          --at signed|now      date at which the certificates must be valid (default: when it was signed)
          --json               one JSON object per JWS

        Exit status: 0 all verified, 1 at least one refused or unreadable, 2 wrong usage.

        Example: pbpaste | entitled verify - --bundle-id com.example.reader --environment Sandbox
        """

    private let files: [String]
    private let rootFiles: [String]
    private let bundleId: String?
    private let appAppleId: Int64?
    private let environment: Entitlements.Environment?
    private let kind: SignedDataKind?
    private let judging: SignedDataVerifier.JudgingDate
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        rootFiles = try arguments.options("--root")
        bundleId = try arguments.option("--bundle-id")
        appAppleId = try arguments.integer("--app-apple-id")
        environment = try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) })
        kind = try arguments.choice("--kind", SignedDataKind.allCases.map { ($0.rawValue, $0) })
        judging = try arguments.choice("--at", [("signed", .signed), ("now", .now)]) ?? .signed
        wantsJSON = arguments.flag("--json")
        files = try arguments.rest()
        guard !files.isEmpty else { throw Arguments.UsageError("name a file, or - for standard input") }
    }

    func run() throws -> ExitStatus {
        let verifier = SignedDataVerifier(
            roots: try roots(), takesDevelopmentData: environment?.isDevelopmentOnly ?? false)
        let expected = ExpectedIdentity.partial(bundleId: bundleId, appAppleId: appAppleId, environment: environment)
        let now = Milliseconds(Date().timeIntervalSince1970 * 1000)
        var isEverythingVerified = true
        for file in files {
            let objects = try signedObjects(in: file)
            guard !objects.isEmpty else {
                throw CommandFailure("\(name(of: file)) holds no signed object: expected is one JWS a line")
            }
            for (line, text) in objects {
                let report = VerificationReport(
                    text, as: kind, by: verifier, expecting: expected, now: now, judging: judging)
                isEverythingVerified = isEverythingVerified && report.isVerified
                show(report, source: file, line: line)
            }
        }
        return isEverythingVerified ? .done : .failed
    }

    private func show(_ report: VerificationReport, source: String, line: Int) {
        if wantsJSON {
            let place: [(String, JSONValue)] = [("source", .string(source)), ("line", .integer(Int64(line)))]
            print(JSONValue.object(JSONObject(place + report.json.members.map { ($0.name, $0.value) })).text)
        } else {
            print("\(source):\(line)  \(report.text)\n")
        }
    }

    private func roots() throws -> [TrustedRoot] {
        guard !rootFiles.isEmpty else { return TrustedRoot.apple }
        return try rootFiles.map { file in
            let bytes = try read(file)
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let certificate = try text.contains("-----BEGIN") ? Certificate(pem: text) : Certificate(der: bytes)
                return TrustedRoot(certificate, for: Set(Environment.known))
            } catch {
                throw CommandFailure("\(file): no root certificate in DER or PEM (\(error))")
            }
        }
    }

    /// The lines that are not empty, with their numbers.
    private func signedObjects(in file: String) throws -> [(line: Int, text: String)] {
        String(decoding: try read(file), as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (line: $0.offset + 1, text: $0.element.trimmingCharacters(in: .whitespaces)) }
            .filter { !$0.text.isEmpty }
    }

    private func name(of file: String) -> String { file == "-" ? "standard input" : file }

    private func read(_ file: String) throws -> [UInt8] {
        if file == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        do { return try Array(Data(contentsOf: URL(filePath: file))) } catch {
            throw CommandFailure("\(file): cannot be read; name a file with one JWS a line, or - for standard input")
        }
    }
}
