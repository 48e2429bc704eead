import Entitlements
import Foundation
import Service
import TestSupport
import Testing

@Suite struct CommandTests {
    private static let account = "a1a1a1a1-0000-4000-8000-00000000000a"

    private func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString.prefix(8))").path
    }

    @Test func everyCommandExplainsItself() async throws {
        let overview = try await CommandRun.run(["--help"])
        #expect(overview.status == 0)
        let names = overview.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(Set(names).isSuperset(of: ["dev", "serve", "migrate", "app", "catalog", "account", "token", "keys"]))
        for name in names {
            let help = try await CommandRun.run([name, "--help"])
            #expect(help.status == 0 && help.output.contains("Usage: entitled \(name)"), "\(name)")
            #expect(help.output.contains("Example"), "\(name)")
        }
    }

    @Test(arguments: [
        ["frobnicate"], ["dev", "sign", "a", "b"], ["dev", "--listen", "nowhere"], ["token"],
        ["keys", "list", "--frob"],
        ["token", "--scope", "device", "--app", "b", "--state", "x"], ["token", "--scope", "god"],
        ["token", "--scope", "admin", "--ttl", "soon", "--file", "x"], ["app", "add"], ["app"],
        ["catalog", "show", "x"],
        ["account", "show"], ["account", "show", "nobody", "--state", "x"], ["migrate", "now"], ["serve", "x"],
        ["account", "grant", account, "--state", "x"],
    ])
    func wrongUsageIsTold(arguments: [String]) async throws {
        let run = try await CommandRun.run(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty && run.errors.hasPrefix("entitled: "))
    }

    @Test func serveRefusesToStartHalfConfigured() async throws {
        let run = try await CommandRun.run(["serve"], environment: ["ENTITLED_LISTEN": "nowhere"])
        #expect(run.status == 1)
        for name in ["ENTITLED_DATABASE_URL", "ENTITLED_KEYS_FILE", "ENTITLED_LISTEN"] {
            #expect(run.errors.contains(name))
        }
    }

    @Test func theReleaseIsNamed() async throws {
        let run = try await CommandRun.run(["--version"])
        #expect(run.status == 0 && run.output.hasPrefix("entitled "))
    }

    @Test func aBadConfigurationFileIsNamed() async throws {
        let path = temporary("config")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "{".write(toFile: path, atomically: true, encoding: .utf8)
        let run = try await CommandRun.run(["serve", "--config", path])
        #expect(run.status == 1 && run.errors.contains("\(path) is not JSON"))
    }

    /// The one was said to be another `entitled dev`, the other was a message without a file.
    @Test func aDamagedStateIsNamed() async throws {
        let state = temporary("state")
        defer { try? FileManager.default.removeItem(atPath: state) }
        let files = FileManager.default
        try files.createDirectory(atPath: state + "/lock", withIntermediateDirectories: true)
        let locked = try await CommandRun.run(["dev", "--state", state, "--listen", "127.0.0.1:0"])
        #expect(locked.status == 1 && locked.errors.contains("cannot open \(state)/lock"), "\(locked.errors)")

        try files.removeItem(atPath: state + "/lock")
        try files.createDirectory(atPath: state + "/authority", withIntermediateDirectories: true)
        for name in ["root.cer", "leaf.key"] {
            try "damaged".write(toFile: "\(state)/authority/\(name)", atomically: true, encoding: .utf8)
        }
        let damaged = try await CommandRun.run(["dev", "--state", state, "--listen", "127.0.0.1:0"])
        #expect(damaged.status == 1 && damaged.errors.contains("\(state)/authority/root.cer: is damaged"))
    }

    @Test func keysSignTokens() async throws {
        let path = temporary("keys")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try await CommandRun.run(["keys", "list", "--file", path]).status == 1)
        #expect(try await CommandRun.run(["keys", "new", "--file", path]).status == 0)
        let device = ["token", "--file", path, "--app", "b", "--scope", "device", "--account", Self.account]
        let token = try await CommandRun.run(device + ["--ttl", "5m"])
        #expect(token.status == 0)
        let text = token.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let keys = try KeyFile(path: path).read()
        let read = try TokenVerifier(keys).verify(text, at: SystemClock().now())
        #expect(read.account?.description == Self.account && read.app == "b" && read.scope == .device)

        let old = try #require(keys.current?.kid)
        #expect(try await CommandRun.run(["keys", "remove", old, "--file", path]).status == 1)
        #expect(try await CommandRun.run(["keys", "new", "--file", path]).status == 0)
        #expect(try await CommandRun.run(["keys", "remove", old, "--file", path]).status == 0)
        #expect(throws: TokenRefusal.unknownKey) {
            try TokenVerifier(KeyFile(path: path).read()).verify(text, at: SystemClock().now())
        }
    }

    /// From an empty database to a service in production, and its gentle end.
    @Test func aDatabaseIsBroughtIntoService() async throws {
        try await withTestDatabase { database in
            let (keys, catalog) = (temporary("keys"), temporary("catalog"))
            defer { for path in [keys, catalog] { try? FileManager.default.removeItem(atPath: path) } }
            let environment = [
                "ENTITLED_DATABASE_URL": database.connectionString, "ENTITLED_KEYS_FILE": keys,
                "ENTITLED_LISTEN": "127.0.0.1:0", "ENTITLED_DRAIN_SECONDS": "0",
            ]
            func run(_ arguments: String...) async throws -> CommandRun {
                try await CommandRun.run(arguments, environment: environment)
            }
            #expect(try await run("keys", "new").status == 0)
            let early = try await run("serve")
            #expect(early.status == 1 && early.errors.contains("entitled migrate"))
            #expect(try await run("migrate", "--status").status == 1)
            #expect(try await run("migrate", "--dry-run").output.contains("pending"))
            #expect(try await run("migrate").status == 0)
            #expect(try await run("migrate", "--status").status == 0)
            #expect(try await run("app", "list").output.isEmpty)

            try standardCatalog.write(toFile: catalog, atomically: true, encoding: .utf8)
            #expect(try await run("catalog", "diff", catalog).status == 1)
            #expect(try await run("catalog", "apply", catalog).status == 0)
            #expect(try await run("catalog", "diff", catalog).status == 0)
            #expect(try await run("app", "list").output.contains("com.example.app"))
            try #"{"products":{"a":{}}}"#.write(toFile: catalog, atomically: true, encoding: .utf8)
            let bad = try await run("catalog", "apply", catalog)
            #expect(bad.status == 1 && bad.errors.contains(":1:1: "))

            let granted = try await run(
                "account", "grant", Self.account, "--entitlement", "pro", "--id", "g1", "--reason", "sorry")
            #expect(granted.output.contains("grant g1: recorded"))
            let again = try await run(
                "account", "grant", Self.account, "--entitlement", "pro", "--id", "g1", "--reason", "sorry")
            #expect(again.status == 0 && again.output.contains("grant g1: duplicate"), "also without --from")
            let late = try await run(
                "account", "grant", Self.account, "--entitlement", "pro", "--until", "2020-01-01T00:00:00Z")
            #expect(late.status == 1 && late.errors.contains("choose a later --until"))
            let other = String(Self.account.dropLast()) + "f"
            let taken = try await run("account", "grant", other, "--entitlement", "pro", "--id", "g1")
            #expect(taken.status == 1 && taken.errors.contains("another grant"))
            #expect(try await run("account", "show", Self.account).output.contains("pro  active"))
            #expect(try await run("account", "show", Self.account, "--json").output.contains(#""isActive":true"#))
            #expect(try await run("account", "export", Self.account).output.contains(#""grants":[{"id":"g1""#))
            #expect(try await run("account", "token", Self.account).output.split(separator: ".").count == 3)
            #expect(try await run("catalog", "show", "--changes").output.contains("+ products."))
            #expect(try await run("account", "history", Self.account).output.contains("g1"))
            #expect(try await run("account", "explain", Self.account).output.contains("pro"))
            let twice = try await run("account", "revoke-grant", Self.account, "--id", "g2")
            #expect(twice.status == 1 && twice.errors.contains("unknownGrant"))

            let service = try RunningCommand(["serve"], environment: environment)
            while !service.saidSoFar.contains(#""event":"ready""#) { try await Task.sleep(for: .milliseconds(20)) }
            service.signal(SIGTERM)
            let ended = try await service.end()
            #expect(ended.status == 0 && ended.errors.contains(#""event":"ended""#))
            #expect(!ended.errors.contains("password"))
        }
    }

    @Test func developmentKeepsToItsDirectoryAndLeavesNothingRunning() async throws {
        let dev = try DevProcess()
        try dev.start()
        let state = dev.state.path
        let second = try await CommandRun.run(["dev", "--state", state, "--listen", "127.0.0.1:0"])
        #expect(second.status == 1 && second.errors.contains("another `entitled dev`"))

        let body = try await CommandRun.run(["dev", "sign", "coins.100", "--body", "--state", state])
        let signed = try #require(try JSONValue(parsing: body.output.filter { $0 != "\n" }).objectValue)
        #expect(signed["signedTransactions"]?.arrayValue?.count == 1)
        #expect(try await CommandRun.run(["dev", "sign", "nothing", "--state", state]).status == 1)
        #expect(try await CommandRun.run(["migrate", "--status", "--state", state]).status == 0)

        let file = dev.state.appending(path: "postgres/data/postmaster.pid")
        let postmaster = try #require(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first.flatMap { Int32($0) })
        #expect(commandLine(of: postmaster).contains("postgres"))
        dev.end()
        #expect(commandLine(of: postmaster) == "", "ended; where nobody collects it, its number stays taken")
    }

    private func commandLine(of process: Int32) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
    }
}
