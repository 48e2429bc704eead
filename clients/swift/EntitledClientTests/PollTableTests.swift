import Testing

@testable import EntitledClient

/// The machine does what the table under "Polling" of the protocol says, cell by cell.
@Suite struct PollTableTests {
    typealias Place = PollMachineTests.Place

    /// The events that a column stands for.
    static func events(_ column: String) throws -> [PollMachine.Event] {
        switch column {
        case "start": [.start(cursor: "s", refreshAfter: 100_000)]
        case "stop": [.stop]
        case "answered": [.answered(.init(cursor: "c2"))]
        case "unverified, refused, busy": [.unverified, .failed(retryAfter: 0), .failed(retryAfter: 7_000)]
        case "no answer": [.unreachable]
        case "401": [.unauthorized]
        case "token event": [.tokenRefreshed, .tokenRefused, .tokenUnavailable]
        case "timer": [.timer]
        case "wake": [.wake]
        default: throw Unknown(text: column)
        }
    }

    struct Unknown: Error {
        let text: String
    }

    @Test func theMachineDoesWhatTheTableSays() throws {
        let table = try DocumentedTable(of: "state")
        var tried: Set<Place> = []
        for row in table.rows {
            for name in row.name.split(separator: ", ") {
                let place = try #require(Place(rawValue: String(name)), "\(name) is no state")
                #expect(tried.insert(place).inserted, "\(name) has two rows")
                for (column, cell) in zip(table.columns, row.cells) {
                    for event in try Self.events(column) { try check(cell, place, event) }
                }
            }
        }
        #expect(tried == Set(Place.allCases), "every state has a row")
        #expect(try table.columns.flatMap(Self.events).count == 13, "every event has a column")
    }

    private func check(_ cell: String, _ place: Place, _ event: PollMachine.Event) throws {
        let comment: Comment = "\(place), \(event): \(cell)"
        var machine = PollMachineTests.machine(in: place)
        let before = machine.state
        let actions = machine.handle(event, at: 1_000, jitter: 0.5)
        let after = PollMachineTests.place(of: machine.state)
        switch cell {
        case "–":
            #expect(actions.isEmpty && machine.state == before, comment)
        case "request", "next":
            #expect(isRequest(actions.last) && [.fetching, .holding].contains(after), comment)
        case "request anew²":
            #expect(actions.isEmpty && machine.state == before, comment)
            #expect(isRequest(machine.handle(event, at: 10_000, jitter: 0).last), comment)
        case "refreshing¹":
            #expect(after == .refreshing && actions == [.refreshToken], comment)
            _ = machine.handle(.tokenRefreshed, at: 1_000, jitter: 0)
            #expect(machine.handle(event, at: 1_000, jitter: 0).isEmpty && machine.state == .authFailed, comment)
        case "³":
            switch event {
            case .tokenRefreshed: #expect(isRequest(actions.last), comment)
            case .tokenRefused: #expect(after == .authFailed, comment)
            default: #expect(after == .offline, comment)
            }
        default:
            #expect(after == Place(rawValue: cell), comment)
        }
    }

    private func isRequest(_ action: PollMachine.Action?) -> Bool {
        switch action {
        case .fetch, .hold: true
        default: false
        }
    }
}
