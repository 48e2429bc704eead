import AppStoreSimulator
import Entitlements
import Testing

@Suite struct APIFaultTests {
    @Test func theServerAPIFailsOnDemand() async throws {
        try await withSimulator { fixture in
            let bought = try await fixture.act(["act": "buy", "customer": "c1", "productId": "export"])
            let id = bought["transactions"]?.arrayValue?.first?.objectValue?["transactionId"]?.stringValue ?? ""
            func set(_ fault: JSONValue) async throws {
                let answer = try await fixture.send("PUT", "/simulator/faults", body: ["api": fault])
                #expect(answer.status == 200, "\(answer.json)")
            }
            func ask() async throws -> SimulatorFixture.Answer { try await fixture.api("GET", "/v2/history/\(id)") }

            try await set(["status": 429, "delayMs": 5000])
            let limited = try await ask()
            #expect(limited.status == 429 && limited.errorCode == 4_290_000)
            #expect((limited.headers["retry-after"].flatMap(Int64.init) ?? 0) > MachineTime.seconds * 1000)
            try await set(["status": 401])
            let unauthorized = try await ask()
            #expect(unauthorized.status == 401 && unauthorized.body.isEmpty)
            try await set(["status": 500])
            #expect(try await ask().errorCode == 5_000_001)
            try await set(["status": 503])
            let proxy = try await ask()
            #expect(proxy.status == 503 && proxy.headers["content-type"] == "text/html")
            try await set(["kind": "html"])
            let html = try await ask()
            #expect(html.status == 200 && html.json.isEmpty)
            try await set(["kind": "cut"])
            #expect(try await ask().json.isEmpty)
            try await set(["kind": "endlessPaging"])
            let more = try await ask()
            let again = try await fixture.api("GET", "/v2/history/\(id)?revision=\(more.text("revision"))")
            #expect(again.json["hasMore"] == true && again.text("revision") == more.text("revision"))
            try await set(["status": 404, "code": 4_040_002, "count": 1])
            #expect(try await ask().errorCode == 4_040_002)
            #expect(try await ask().status == 200)
            let unknown = try await fixture.send("PUT", "/simulator/faults", body: ["loose": 1])
            #expect(unknown.status == 400)
        }
    }
}
