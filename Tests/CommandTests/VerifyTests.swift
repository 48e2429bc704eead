import FoundationEssentials
import TestSupport
import Testing

@testable import entitled

@Suite struct VerifyTests {
    private let session = SharedFiles.directory.appending(path: "vectors/apple-signed-sandbox/session").path

    private func run(_ words: String...) throws -> entitled.ExitStatus {
        var arguments = Arguments(words)
        return try Verify(&arguments).run()
    }

    @Test func genuineDataIsDone() throws {
        #expect(try run("\(session)/01-DID_RENEW.jws", "\(session)/14-REFUND.jws", "--json") == .done)
        #expect(
            try run(
                "\(session)/14-REFUND.jws", "--bundle-id", "com.loki-project.loki-messenger", "--environment",
                "Sandbox",
                "--kind", "notification") == .done)
    }

    @Test func oneRefusedObjectFailsAll() throws {
        let two = ["\(session)/01-DID_RENEW.jws", "\(session)/inner/01-DID_RENEW.renewal.jws"]
        #expect(try run(two[0], two[1], "--kind", "renewalInfo", "--json") == .failed)
        #expect(try run(two[0], "--bundle-id", "com.example.other", "--json") == .failed)
        #expect(try run(two[0], "--environment", "Production", "--json") == .failed)
    }

    @Test func linesAreObjectsOfTheirOwn() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "verify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let genuine = try SharedFiles.text("vectors/apple-signed-sandbox/session/inner/01-DID_RENEW.transaction.jws")
        try Data("\(genuine)\r\n\n  \(genuine)".utf8).write(to: file)
        #expect(try run(file.path, "--json") == .done)
        try Data("\(genuine)\nrubbish\n".utf8).write(to: file)
        #expect(try run(file.path, "--json") == .failed)
        try Data("\n\n".utf8).write(to: file)
        #expect(throws: CommandFailure.self) { try run(file.path) }
    }

    @Test func rootsReplaceApples() throws {
        let root = SharedFiles.directory.appending(path: "vectors/roots/apple-library-testCA.der").path
        let pem = SharedFiles.directory.appending(path: "vectors/apple-library/chains/testCA.pem").path
        let mock = SharedFiles.directory.appending(path: "vectors/apple-library/mock_signed_data").path
        #expect(try run("\(mock)/testNotification.jws", "--root", root, "--json") == .done)
        #expect(try run("\(mock)/testNotification.jws", "--root", pem, "--json") == .done)
        #expect(try run("\(mock)/testNotification.jws", "--json") == .failed)
        #expect(throws: CommandFailure.self) {
            try run("\(mock)/testNotification.jws", "--root", "\(mock)/renewalInfo.jws")
        }
    }

    @Test func wrongUsage() {
        #expect(throws: Arguments.UsageError.self) { try run() }
        #expect(throws: Arguments.UsageError.self) { try run("x", "--kind", "receipt") }
        #expect(throws: Arguments.UsageError.self) { try run("x", "--at", "yesterday") }
        #expect(throws: CommandFailure.self) { try run("/does/not/exist") }
    }
}
