extension PostgresSession {
    /// Listens to a channel. The stream ends with the connection; a slow reader loses the oldest of 1,024 notifications,
    /// so a notification is a hint and never the only word. Not in a pool: the session goes on listening.
    public func listen(to channel: String) async throws(PostgresError) -> AsyncStream<PostgresNotification> {
        guard !channel.isEmpty, channel.utf8.count < 64, !channel.utf8.contains(0) else {
            throw PostgresError(.invalidParameters, "a channel has a name of 1 to 63 bytes")
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: PostgresNotification.self, bufferingPolicy: .bufferingNewest(1024))
        let quoted = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        // Before the statement, so that nothing is missed between the two.
        subscribers[channel, default: []].append(continuation)
        do {
            _ = try await run(.text("LISTEN \"\(quoted)\""), turn: nil)
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }

    func readNotifications() {
        while let notification = connection?.nextNotification() {
            subscribers[notification.channel]?.removeAll { subscriber in
                if case .terminated = subscriber.yield(notification) { return true }
                return false
            }
        }
    }
}
