import AppStoreSimulator
import Entitlements
import Testing

@Suite struct DeliveryTests {
    private func buy(_ fixture: SimulatorFixture, _ count: Int) async throws {
        let acts = (0..<count).map { number -> JSONValue in
            ["act": "buy", "customer": .string("c\(number)"), "productId": "coins.100"]
        }
        try await fixture.act(.array(acts))
    }

    @Test func productionTriesSixTimes() async throws {
        let sender = CollectingSender(Array(repeating: "NO_RESPONSE", count: 10))
        try await withSimulator(environment: .production, sender: sender) { fixture in
            try await buy(fixture, 1)
            await fixture.simulator.delivered()
            var counts = [sender.payloads.count]
            for hours in [1, 12, 24, 48, 72, 1000] as [Milliseconds] {
                try await fixture.pass(hours * 3_600_000 - 1)
                await fixture.simulator.delivered()
                counts.append(sender.payloads.count)
                try await fixture.pass(1)
                await fixture.simulator.delivered()
                counts.append(sender.payloads.count)
            }
            #expect(counts == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6])
            #expect(Set(sender.payloads).count == 1)
        }
    }

    @Test func sandboxTriesOnce() async throws {
        let sender = CollectingSender(["NO_RESPONSE"])
        try await withSimulator(sender: sender) { fixture in
            try await buy(fixture, 1)
            try await fixture.pass(10 * day)
            await fixture.simulator.delivered()
            #expect(sender.payloads.count == 1)
        }
    }

    @Test func inOrderUnlessToldOtherwise() async throws {
        let sender = CollectingSender()
        try await withSimulator(sender: sender) { fixture in
            try await buy(fixture, 60)
            await fixture.simulator.delivered()
            let dates = sender.notifications.compactMap { $0["signedDate"]?.integerValue }
            #expect(dates.count == 60 && dates == dates.sorted())
        }
    }

    @Test func faultsLoseDoubleReorderAndCorrupt() async throws {
        let sender = CollectingSender()
        try await withSimulator(sender: sender) { fixture in
            func set(_ faults: JSONValue) async throws {
                #expect(try await fixture.send("PUT", "/simulator/faults", body: faults).status == 200)
            }
            try await set(["lose": 1])
            try await buy(fixture, 5)
            try await fixture.pass(day)
            await fixture.simulator.delivered()
            #expect(sender.payloads.isEmpty)

            try await set(["double": 1])
            try await buy(fixture, 5)
            try await fixture.pass(day)
            await fixture.simulator.delivered()
            #expect(sender.payloads.count == 10 && Set(sender.payloads).count == 5)

            try await set(["reorder": true])
            try await buy(fixture, 60)
            try await fixture.pass(10_000)
            await fixture.simulator.delivered()
            let dates = sender.notifications.dropFirst(10).compactMap { $0["signedDate"]?.integerValue }
            #expect(dates.count == 60 && dates != dates.sorted())

            try await set(["corrupt": 1])
            let made = try await fixture.act(["act": "buy", "customer": "c1", "productId": "export"])
            await fixture.simulator.delivered()
            let signed = made["notifications"]?.arrayValue?.first?.objectValue?["signedPayload"]?.stringValue ?? ""
            let arrived = try #require(sender.payloads.last)
            #expect(zip(arrived.utf8, signed.utf8).count { $0 != $1 } == 1 && arrived.utf8.count == signed.utf8.count)

            try await set(["delayMs": [1000, 1000]])
            let before = sender.payloads.count
            try await buy(fixture, 1)
            try await fixture.pass(999)
            await fixture.simulator.delivered()
            #expect(sender.payloads.count == before)
            try await fixture.pass(1)
            await fixture.simulator.delivered()
            #expect(sender.payloads.count == before + 1)
        }
    }
}
