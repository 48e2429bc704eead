import Entitlements
import Foundation
import Testing

@testable import EntitledClient

/// A whole client says what the table under "Offline" of the protocol says, cell by cell.
@Suite struct OfflineTableTests {
    struct Unknown: Error {
        let text: String
    }

    /// What is kept, by the name of the row; nil is nothing. The fetch is at `World.now`.
    static func kept(_ row: String) throws -> SignedText? {
        var signed = SignedText(end: World.now + Time.day)
        switch row {
        case "nothing": return nil
        case "open": signed.end = World.now + 30 * Time.day
        case "forever": signed.intervals = [Interval(World.now - Time.day, Interval.forever)]
        case "renewing": signed.willRenew = true
        case "final":
            signed.willRenew = true
            signed.endIsFinal = true
        case "ending": signed.willRenew = false
        case "unsure": signed.willRenew = nil
        case "ended":
            signed.willRenew = true
            signed.intervals = [Interval(World.now - 2 * Time.day, World.now)]
        case "coming":
            signed.willRenew = true
            signed.intervals = [Interval(World.now + 10 * Time.day, World.now + 40 * Time.day)]
        case "absent": signed.end = nil
        default: throw Unknown(text: row)
        }
        return signed
    }

    static func live(_ column: String, _ kept: SignedText?) async throws -> EntitlementAnswer {
        var device = try PlayedDevice()
        let clock = device.world.clock
        var signed = kept
        if column.hasSuffix("`deny`") { signed?.staleAccess = "deny" }
        if let signed { try await device.fetch(signed) }
        switch column {
        case "two days on": clock.advance(by: 2 * Time.day)
        case "limit, `keep`", "limit, `deny`":
            clock.advance(by: 3 * Time.day - 1)
            #expect(await !device.answer.flags.contains(.stale))
            clock.advance(by: 1)
        case "clock set back":
            clock.advance(by: 2 * Time.day)
            clock.setWall(World.now - Time.day)
        case "fetch failed":
            clock.advance(by: 2 * Time.day)
            await device.failToFetch()
        case "new process": try await device.restart { clock.advance(by: 2 * Time.day) }
        case "device restarted":
            try await device.restart {
                clock.reboot()
                clock.set(wall: World.now + 2 * Time.day, monotonic: 60_000)
            }
        case "other account":
            clock.advance(by: 2 * Time.day)
            try await device.switchAccount()
        default: throw Unknown(text: column)
        }
        let answer = await device.answer
        await device.client.stop()
        return answer
    }

    @Test func theClientSaysWhatTheTableSays() async throws {
        let table = try DocumentedTable(of: "kept")
        #expect(table.rows.count == 10 && table.columns.count == 8)
        for row in table.rows {
            // The name is what is in bold.
            let name = String(try #require(row.name.split(separator: "**").first))
            let kept = try Self.kept(name)
            for (column, cell) in zip(table.columns, row.cells) {
                let answer = try await Self.live(column, kept)
                let words = [answer.access.rawValue] + answer.flags.map(\.rawValue).sorted()
                #expect(words.joined(separator: " ") == cell, "\(name), \(column)")
            }
        }
    }

    /// The library's own documentation has the table once more.
    @Test func theLibrarysDocumentationHasTheSameTable() throws {
        let page = DocumentedTable.protocolDocument.deletingLastPathComponent()
            .appending(path: "swift/EntitledClient/EntitledClient.docc/Offline.md")
        let (own, shown) = (try DocumentedTable(of: "kept"), try DocumentedTable(of: "kept", in: page))
        #expect(own.columns == shown.columns)
        #expect(own.rows.map(\.name) == shown.rows.map(\.name))
        #expect(own.rows.map(\.cells) == shown.rows.map(\.cells))
    }
}
