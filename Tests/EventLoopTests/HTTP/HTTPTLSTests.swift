import EventLoop
import Foundation
import Testing

/// Against the client of the OpenSSL command line, with a certificate made for the test.
@Suite struct HTTPTLSTests {
    @Test func requestsAreServedOverTLS() async throws {
        try await withIdentity { identity in
            try await withServer(secured(identity)) { server in
                let output = try await openssl(
                    [
                        "s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)", "-CAfile",
                        identity.certificateChainFile,
                    ],
                    input: "POST /tls HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
                        + "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(output.contains("POST /tls body"))
                #expect(output.contains("GET /end "))
            }
        }
    }

    @Test func oldVersionsOfTLSAreRefused() async throws {
        try await withIdentity { identity in
            try await withServer(secured(identity)) { server in
                let old = try await openssl(
                    ["s_client", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-connect", "127.0.0.1:\(server.port)"])
                #expect(old.contains("Cipher is (NONE)"))
                let new = try await openssl(["s_client", "-tls1_2", "-connect", "127.0.0.1:\(server.port)"])
                #expect(new.contains("Protocol  : TLSv1.2"))
            }
        }
    }

    @Test func clientThatLeavesAHeldRequestIsNoticed() async throws {
        let holder = Holder()
        try await withIdentity { identity in
            try await withServer(secured(identity), handler: holder.handler) { server in
                let client = Task {
                    try await openssl(
                        ["s_client", "-connect", "127.0.0.1:\(server.port)"],
                        input: "GET / HTTP/1.1\r\nHost: a\r\n\r\nQ\n")
                }
                _ = await holder.held.next()
                await holder.gone.next()
                _ = try await client.value
                #expect(server.counters.openConnections == 0)
            }
        }
    }

    @Test func plainBytesOnATLSPortAreNotServed() async throws {
        try await withIdentity { identity in
            try await withServer(secured(identity)) { server in
                let client = try RawClient(port: server.port)
                await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await client.rest()?.contains("HTTP/1.1 200") == false)
                #expect(server.counters.requests == 0)
            }
        }
    }

    @Test func certificateThatCannotBeReadIsNamed() async throws {
        let group = try EventLoopGroup(loopCount: 1)
        let configuration = secured(.init(certificateChainFile: "/nonexistent.pem", privateKeyFile: "/nonexistent.key"))
        let error = await #expect(throws: EventLoopError.self) {
            _ = try await HTTPServer.start(configuration, on: group, handler: echo)
        }
        #expect(error?.code == .certificateUnusable)
        #expect(error?.message.contains("/nonexistent.pem") == true)
        await group.shutdown()
    }

    private func secured(_ identity: HTTPServer.TLSIdentity) -> HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration.patient
        configuration.tls = identity
        return configuration
    }

    private func withIdentity(_ body: (HTTPServer.TLSIdentity) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = HTTPServer.TLSIdentity(
            certificateChainFile: folder.appendingPathComponent("certificate.pem").path,
            privateKeyFile: folder.appendingPathComponent("key.pem").path)
        _ = try await openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
            "-subj", "/CN=localhost", "-keyout", identity.privateKeyFile, "-out", identity.certificateChainFile,
        ])
        try await body(identity)
    }

    /// Runs the command to its end; its output, errors included.
    private func openssl(_ arguments: [String], input: String = "") async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try runOpenSSL(arguments, input: input) })
            }
        }
    }
}

private func runOpenSSL(_ arguments: [String], input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stdout
    try process.run()
    stdin.fileHandleForWriting.write(Data(input.utf8))
    // A client that stays (-quiet) hangs up when the server does; others when their input ends.
    if !arguments.contains("-quiet") { try stdin.fileHandleForWriting.close() }
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}
