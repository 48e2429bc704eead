public import AppStore
import Entitlements
import EventLog
import EventLoop
import Postgres
import Signatures
public import Sync
import Synchronization

/// A running service: loops, HTTP server, writers, followers.
public final class ServiceInstance: Sendable {
    /// What differs between production, development and tests.
    public struct Options: Sendable {
        /// The roots that vouch for signed data.
        public var roots: [TrustedRoot]
        /// Whether data of Xcode and LocalTesting is taken: on a developer's machine only (rules.md R5).
        public var isDevelopment: Bool
        /// The time.
        public var clock: any Clock

        /// Production: Apple's root, the machine's clock.
        public init(
            roots: [TrustedRoot] = TrustedRoot.apple, isDevelopment: Bool = false, clock: any Clock = SystemClock()
        ) {
            self.roots = roots
            self.isDevelopment = isDevelopment
            self.clock = clock
        }
    }

    /// The port it listens on.
    public var port: Int { server.port }
    private let parts: ServiceParts
    private let server: HTTPServer
    private let following: Task<Void, Never>
    private let settings: ServiceSettings
    private let hasEnded = Atomic<Bool>(false)

    private init(parts: ServiceParts, server: HTTPServer, following: Task<Void, Never>, settings: ServiceSettings) {
        self.parts = parts
        self.server = server
        self.following = following
        self.settings = settings
    }

    /// Starts a service and returns when it is ready. Throws `ServiceError`, or what the database or the address said.
    public static func start(
        _ settings: ServiceSettings, keys: ServiceKeys, options: Options = Options(), log: Log
    ) async throws -> ServiceInstance {
        let loops = try EventLoopGroup(loopCount: settings.loops ?? EventLoopGroup.coreCount)
        // One writer for two loops, since half as many sessions append batches twice as large; each on a thread of its own, or the
        // loop that it shared would be the busiest and the others would wait for it.
        let writing: EventLoopGroup
        do {
            writing = try EventLoopGroup(loopCount: max(1, loops.loops.count / 2))
        } catch {
            await loops.shutdown()
            throw error
        }
        do {
            let parts = try await ServiceParts.make(
                settings, keys: keys, options: options, log: log, loops: loops, writing: writing)
            let gateway = parts.gateway
            let server = try await HTTPServer.start(settings.server, on: loops) { gateway.handle($0, $1) }
            parts.gauges.follow { server.counters }
            let following = Task { await parts.follower.run() }
            log.write(.info, "ready") { $0.member("port", Int64(server.port)) }
            return ServiceInstance(parts: parts, server: server, following: following, settings: settings)
        } catch {
            await writing.shutdown()
            await loops.shutdown()
            throw error
        }
    }

    /// Ends gently: not ready any more, held polls answered over the window of the settings, requests in progress finished,
    /// then everything closed. Nothing is lost, since a cursor is all that a client needs to go on. Only the first call counts.
    public func drain() async {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        parts.log.write(.info, "draining") { $0.member("seconds", Int64(self.settings.drainSeconds)) }
        parts.backend.state.beginDraining()
        let window = Int64(settings.drainSeconds) * 1000
        for driver in parts.backend.drivers { await driver.drain(over: window) }
        // A balancer needs a moment to see that this instance is not ready; until then requests are still answered.
        try? await Task.sleep(for: .milliseconds(min(window / 4, 5000)))
        await server.drain(within: .milliseconds(window + 1000))
        following.cancel()
        for connection in parts.connections { await connection.close() }
        await following.value
        await parts.writing.shutdown()
        await parts.loops.shutdown()
        parts.log.write(.info, "ended")
        parts.log.flush()
    }

    /// The clock was set by a test: looks at what is due.
    package func timePassed() async {
        for driver in parts.backend.drivers { await driver.timePassed() }
    }

    /// What is served, and the scopes that may use it; none: anybody.
    package var routes: [(method: String, template: String, scopes: [String])] {
        parts.gateway.routes.map { route in
            let scopes: Set<Scope> = if case .scopes(let scopes) = route.access { scopes } else { [] }
            return (route.label.method, route.label.template, scopes.map(\.rawValue).sorted())
        }
    }

    /// Polls held now.
    package var heldPolls: Int {
        get async {
            var count = 0
            for driver in parts.backend.drivers { count += await driver.count }
            return count
        }
    }
}

extension ServiceSettings {
    /// As the HTTP server wants it.
    fileprivate var server: HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration()
        configuration.address = listen.address
        configuration.port = listen.port
        configuration.maxBodyBytes = limits.bodyBytes
        configuration.maxConnections = limits.connections
        if let tlsCertificate, let tlsKey {
            configuration.tls = HTTPServer.TLSIdentity(
                certificateChainFile: tlsCertificate, privateKeyFile: tlsKey)
        }
        return configuration
    }
}
