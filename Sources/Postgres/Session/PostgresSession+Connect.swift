extension PostgresSession {
    /// Connects without blocking the reactor.
    ///
    /// The string may name several hosts, and `target_session_attrs`; libpq tries them in turn. Give addresses
    /// (`hostaddr`) or a socket directory where the loop must not wait for a name server.
    /// Throws `connectionFailed` or `timeout`.
    public static func connect(
        to connectionString: String, options: PostgresSessionOptions = PostgresSessionOptions(),
        on reactor: any SocketReactor
    ) async throws(PostgresError) -> PostgresSession {
        let string = try ConnectionString(connectionString, options: options)
        let session = PostgresSession(options: options, reactor: reactor)
        if let error = await session.open(string) { throw error }
        return session
    }

    private func open(_ string: ConnectionString) async -> PostgresError? {
        guard let connection = LibpqConnection(parameters: string.parameters) else {
            return PostgresError(.connectionFailed, "no memory for a connection")
        }
        self.connection = connection
        return await withCheckedContinuation { continuation in
            connectContinuation = continuation
            connectTimer = reactor.schedule(after: options.connectTimeout) { [weak self] in
                self?.assumeIsolated { $0.connectTimedOut() }
            }
            // A new connection behaves as if the last poll had asked for write.
            watchSocket(.write)
        }
    }

    private func connectTimedOut() {
        guard machine.phase == .connecting else { return }
        end(
            PostgresError(
                .timeout, "no connection within \(options.connectTimeout): see whether the server can be reached"))
    }

    /// Watches the socket of the moment: with several hosts it changes from poll to poll, so each poll gets a new watch.
    private func watchSocket(_ interest: SocketInterest) {
        guard let connection, connection.socket >= 0 else { return connectFailed() }
        watch = reactor.watch(descriptor: connection.socket, interest: interest) { [weak self] _ in
            self?.assumeIsolated { $0.pollConnection() }
        }
    }

    private func pollConnection() {
        guard machine.phase == .connecting, let connection else { return }
        // Before the poll, which may close the descriptor.
        watch?.cancel()
        watch = nil
        switch connection.poll() {
        case .wantsRead: watchSocket(.read)
        case .wantsWrite: watchSocket(.write)
        case .failed: connectFailed()
        case .connected: didConnect(connection)
        }
    }

    private func connectFailed() {
        end(PostgresError(.connectionFailed, connection?.errorMessage ?? "no connection"))
    }

    private func didConnect(_ connection: LibpqConnection) {
        guard connection.beginPipelining(), machine.connected() else { return connectFailed() }
        connectTimer?.cancel()
        connectTimer = nil
        interest = .read
        // Holds the session: it lives until it is closed or the connection breaks, and `end` cancels the watch.
        watch = reactor.watch(descriptor: connection.socket, interest: .read) { readiness in
            self.assumeIsolated { $0.socketIsReady(readiness) }
        }
        connectContinuation?.resume(returning: nil)
        connectContinuation = nil
    }
}
