import Postgres
import TestSupport
import Testing

@Suite struct NotifyTests {
    private let notify = PostgresStatement(
        name: "notify", sql: "SELECT pg_notify($1, $2)", parameterTypes: [.text, .text])

    @Test func notificationsArriveInOrderOnTheirChannel() async throws {
        try await withTestDatabase { database in
            try await withPostgresSession(database) { listener in
                let lanes = try await listener.listen(to: "lanes \"quoted\"")
                let others = try await listener.listen(to: "other")
                try await withPostgresSession(database) { sender in
                    for number in 0..<100 {
                        _ = try await sender.query(notify, PostgresParameters("lanes \"quoted\"", "\(number)"))
                    }
                    _ = try await sender.query(notify, PostgresParameters("other", ""))
                    let pid = await sender.serverProcessID
                    var received: [String] = []
                    for await notification in lanes {
                        #expect(notification.processID == pid)
                        received.append(notification.payload)
                        if received.count == 100 { break }
                    }
                    #expect(received == (0..<100).map(String.init))
                    for await notification in others {
                        #expect(notification.channel == "other" && notification.payload == "")
                        break
                    }
                }
            }
        }
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 64)])
    func aChannelNeedsAName(channel: String) async throws {
        try await withPostgresSession(TestDatabase.admin) { session in
            let error = await #expect(throws: PostgresError.self) { try await session.listen(to: channel) }
            #expect(error?.code == .invalidParameters)
        }
    }
}
