import AppStore
import AppStoreSimulator
import Entitlements
import EventLog
import EventLoop
import Foundation
import Postgres
import Service
import Signatures

/// `entitled dev`: everything on this machine, from nothing.
struct Dev: Command {
    static let name = "dev"
    static let summary = "start everything on this machine: private PostgreSQL, keys, sample app, service"
    static let help = """
        Usage: entitled dev [options]
               entitled dev sign [PRODUCT] [--account A] [--state DIR] [--body]
               entitled dev sign --refund FILE [--state DIR] [--body]

        Starts a private PostgreSQL, applies the migrations, makes keys, adds a sample app and serves. What it keeps is in
        one directory. Ctrl-C stops all it started. For development only: anybody who reaches it can sign purchases.

          --state DIR          where everything is kept (default .entitled)
          --listen ADDR:PORT   where to serve (default 127.0.0.1:8080; port 0 picks one)
          --trust-root FILE    one more root certificate (DER) for signed data; may repeat
          --json               print one JSON line when ready, nothing else

        `entitled dev sign` prints a purchase signed by the directory's own test authority, or the refund of a purchase that
        it printed before: as a JWS, or with --body as the body of a push. Products: pro.monthly, pro.yearly, export,
        coins.100. The authority's root certificate is DIR/authority/root.cer.

        Example: entitled dev --listen 127.0.0.1:0
                 entitled dev sign pro.yearly --body > purchase.json
                 entitled dev sign --refund purchase.json --body
        """

    private let state: DevelopmentState
    private let listen: ListenSetting
    private let rootFiles: [String]
    private let wantsJSON: Bool
    private let signing: SampleSigning?

    init(_ arguments: inout Arguments) throws {
        state = DevelopmentState(try arguments.option("--state") ?? DevelopmentState.standardDirectory)
        let address = try arguments.option("--listen") ?? "127.0.0.1:8080"
        guard let listen = ListenSetting(address) else {
            throw Arguments.UsageError("--listen must be an address and a port, like 127.0.0.1:8080, not \(address)")
        }
        self.listen = listen
        rootFiles = try arguments.options("--trust-root")
        wantsJSON = arguments.flag("--json")
        let account = try arguments.option("--account")
        let refund = try arguments.option("--refund")
        let wantsBody = arguments.flag("--body")
        let words = try arguments.rest()
        guard words.isEmpty || words[0] == "sign" else {
            throw Arguments.UsageError("unexpected argument \(words[0]); say nothing, or sign")
        }
        guard !words.isEmpty || (account == nil && refund == nil && !wantsBody) else {
            throw Arguments.UsageError("--account, --refund and --body go with `entitled dev sign`")
        }
        signing =
            words.isEmpty
            ? nil : try SampleSigning(words.dropFirst(), account: account, refund: refund, wantsBody: wantsBody)
    }

    func run() async throws -> ExitStatus {
        if let signing { return try signing.run(state) }
        let signals = Signals()
        let lock = try state.lock()
        defer { try? lock.close() }
        let keys = try state.loadKeys(at: SystemClock().now())
        let authority = try state.authority()
        let roots = try trustedRoots(authority)
        let cluster = state.cluster
        if !wantsJSON { Console.note("starting a private PostgreSQL and the service…") }
        try cluster.start()
        do {
            let service = try await serve(keys, roots)
            try announce(service, keys: keys, authority: authority)
            await signals.wait()
            if !wantsJSON { Console.note("stopping…") }
            await service.drain()
        } catch {
            try? cluster.stop()
            throw error
        }
        try cluster.stop()
        return .done
    }

    private func trustedRoots(_ authority: SigningAuthority) throws -> [TrustedRoot] {
        var roots = TrustedRoot.apple
        roots.append(TrustedRoot(authority.root, for: [Sample.environment]))
        for file in rootFiles {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandFailure("--trust-root \(file): cannot be read")
            }
            do {
                roots.append(TrustedRoot(try Certificate(der: Array(data)), for: Set(Environment.known)))
            } catch {
                throw CommandFailure("--trust-root \(file): \(error); give a certificate in DER")
            }
        }
        return roots
    }

    private func serve(_ keys: ServiceKeys, _ roots: [TrustedRoot]) async throws -> ServiceInstance {
        let setup = DevelopmentSetup(state: state)
        try await setup.run()
        var settings = ServiceSettings(databaseURL: state.connectionString, keysFile: state.keys.path)
        settings.listen = listen
        // Nobody waits for a balancer here.
        settings.drainSeconds = 0
        let log = Log(level: wantsJSON ? .warning : .info, sink: try logSink()) { SystemClock().now() }
        do {
            return try await ServiceInstance.start(
                settings, keys: keys, options: ServiceInstance.Options(roots: roots, isDevelopment: true), log: log)
        } catch let error as EventLoopError where error.code == .addressUnusable {
            throw CommandFailure("\(listen): \(error.message), such as --listen 127.0.0.1:0")
        }
    }

    /// A terminal is for what the person should read; the log goes to a file.
    private func logSink() throws -> Log.Sink {
        if wantsJSON { return Log.standardError }
        let path = state.path("service.log")
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure("cannot write \(path)") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return { file.write(Data($0)) }
    }

    private func announce(_ service: ServiceInstance, keys: ServiceKeys, authority: SigningAuthority) throws {
        let url = "http://\(ListenSetting(address: listen.address, port: service.port))"
        let announcement = try DevelopmentAnnouncement(url: url, state: state, keys: keys, authority: authority)
        // Not print, which keeps the line back when standard output is a pipe.
        FileHandle.standardOutput.write(Data(((wantsJSON ? announcement.json : announcement.text) + "\n").utf8))
    }
}
