import EventLoop
import Foundation
import Testing
import WebClient

/// Whom the web client believes over TLS.
@Suite struct TrustTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func aServerThatProvesItsNameIsBelieved(host: String) async throws {
        try await withSecureServer(names: "IP:127.0.0.1,DNS:localhost") { port, roots in
            let response = try await Self.client(roots).send(Self.request(host, port))
            #expect(response.status == 200)
            #expect(response.body.count == Self.length)
        }
    }

    @Test func aServerOfAnUnknownAuthorityIsNot() async throws {
        try await withSecureServer(names: "IP:127.0.0.1") { port, _ in
            let error = await #expect(throws: WebError.self) {
                try await Self.client(nil).send(Self.request("127.0.0.1", port))
            }
            #expect(error?.code == .untrusted)
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func aServerOfAnotherNameIsNot(host: String) async throws {
        try await withSecureServer(names: "DNS:example.com,IP:127.0.0.2") { port, roots in
            let error = await #expect(throws: WebError.self) {
                try await Self.client(roots).send(Self.request(host, port))
            }
            #expect(error?.code == .untrusted)
        }
    }

    /// More than one record of TLS.
    private static let length = 100_000

    private static func client(_ roots: String?) throws -> WebClient {
        var configuration = WebClient.Configuration()
        configuration.rootsFile = roots
        return try WebClient(configuration)
    }

    private static func request(_ host: String, _ port: Int) -> WebRequest {
        WebRequest(
            method: "POST", url: "https://\(host):\(port)/x", body: Array(repeating: 65, count: length),
            timeout: .seconds(120))
    }

    /// Serves what it is sent; the certificate is its own root.
    private func withSecureServer(names: String, _ body: (Int, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "entitled-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = folder.appending(path: "certificate.pem").path
        let key = folder.appending(path: "key.pem").path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
            "-subj", "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        try #require(process.terminationStatus == 0)

        let group = try EventLoopGroup(loopCount: 1)
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.tls = HTTPServer.TLSIdentity(certificateChainFile: certificate, privateKeyFile: key)
        let server = try await HTTPServer.start(configuration, on: group) { request, responder in
            responder.send(HTTPResponse(status: 200, body: request.body))
        }
        do {
            try await body(server.port, certificate)
        } catch {
            Issue.record(error)
        }
        await server.drain(within: .zero)
        await group.shutdown()
    }
}
