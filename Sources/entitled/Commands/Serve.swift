import Foundation
import Service

/// `entitled serve`: the service, for production.
struct Serve: Command {
    static let name = "serve"
    static let summary = "run the service, for production"
    static let help = """
        Usage: entitled serve [--config FILE]

        Serves the apps in the database of ENTITLED_DATABASE_URL until SIGTERM or SIGINT, then ends gently: held polls are
        answered over a window, requests in progress are finished. The schema must be this release's (`entitled migrate`).

          --config FILE        settings as JSON; the environment wins

        Settings (in the environment, in the file): ENTITLED_DATABASE_URL databaseUrl and ENTITLED_KEYS_FILE keysFile, both
        needed; ENTITLED_LISTEN listen, ENTITLED_LOG_LEVEL logLevel, ENTITLED_TLS_CERTIFICATE tlsCertificate,
        ENTITLED_TLS_KEY tlsKey, ENTITLED_MAX_CONNECTIONS maxConnections, ENTITLED_MAX_HOLDS maxHolds,
        ENTITLED_MAX_BODY_BYTES maxBodyBytes, ENTITLED_MAX_IN_FLIGHT maxInFlight, ENTITLED_ACCOUNT_RATE accountRate,
        ENTITLED_ACCOUNT_BURST accountBurst, ENTITLED_DRAIN_SECONDS drainSeconds, ENTITLED_LOOPS loops.

        Example: ENTITLED_DATABASE_URL=postgresql://entitled@db/entitled ENTITLED_KEYS_FILE=/etc/entitled/keys.json entitled serve
        """

    private let configuration: String?

    init(_ arguments: inout Arguments) throws {
        configuration = try arguments.option("--config")
        try arguments.finish()
    }

    func run() async throws -> ExitStatus {
        let signals = Signals()
        let file = try configuration.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure("\(path): cannot be read")
            }
            return Array(data)
        }
        let settings = try ServiceSettings(
            environment: ProcessInfo.processInfo.environment, file: file,
            named: configuration ?? "")
        let keys = try KeyFile(path: settings.keysFile).read()
        let log = Log(level: settings.logLevel) { SystemClock().now() }
        let service = try await ServiceInstance.start(settings, keys: keys, log: log)
        await signals.wait()
        await service.drain()
        return .done
    }
}
