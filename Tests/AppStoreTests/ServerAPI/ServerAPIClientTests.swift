import AppStore
import Entitlements
import Signatures
import Synchronization
import Testing

@Suite struct ServerAPIClientTests {
    @Test func aCallGoesToTheRightHostWithAToken() async throws {
        let exchange = ScriptedExchange(status: 200, body: ["signedTransactionInfo": "a.b.c"])
        let client = try ServerAPISample.client(exchange)
        #expect(try await client.transactionInfo("2000/../1", in: .sandbox) == "a.b.c")
        let request = try #require(exchange.requests.first)
        #expect(
            request.url == "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/2000%2F..%2F1")
        #expect(request.method == "GET")
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Bearer ey") })
        #expect(request.body == nil)
    }

    @Test func historyRepeatsItsParametersOnEachPage() async throws {
        let exchange = ScriptedExchange(
            status: 200, body: ["signedTransactions": ["a.b.c"], "revision": "r 1=", "hasMore": true])
        let client = try ServerAPISample.client(exchange)
        let page = try await client.history(of: "1", revision: nil, in: .production)
        #expect(page.signedTransactions == ["a.b.c"])
        #expect(page.hasMore)
        _ = try await client.history(of: "1", revision: page.revision, in: .production)
        #expect(
            exchange.requests.map(\.url) == [
                "https://api.storekit.apple.com/inApps/v2/history/1?sort=ASCENDING",
                "https://api.storekit.apple.com/inApps/v2/history/1?sort=ASCENDING&revision=r%201%3D",
            ])
    }

    @Test func statusesOfAllGroupsAreReadTogether() async throws {
        let client = try ServerAPISample.client(
            ScriptedExchange(
                status: 200,
                body: [
                    "environment": "Production",
                    "data": [
                        [
                            "lastTransactions": [
                                ["signedTransactionInfo": "t1", "signedRenewalInfo": "r1", "status": 1]
                            ]
                        ],
                        ["lastTransactions": [["signedTransactionInfo": "t2", "status": 2]]],
                    ],
                ]))
        let statuses = try await client.statuses(of: "1", in: .production)
        #expect(statuses.signedTransactions == ["t1", "t2"])
        #expect(statuses.signedRenewalInfos == ["r1"])
    }

    @Test func notificationHistoryAsksWithTheSameBody() async throws {
        let exchange = ScriptedExchange(
            status: 200,
            body: [
                "notificationHistory": [
                    ["signedPayload": "n1", "sendAttempts": [["attemptDate": 1, "sendAttemptResult": "SUCCESS"]]],
                    ["signedPayload": "n2", "sendAttempts": [["attemptDate": 1, "sendAttemptResult": "TIMED_OUT"]]],
                ], "hasMore": false,
            ])
        let client = try ServerAPISample.client(exchange)
        let page = try await client.notificationHistory(from: 5, to: 9, token: "p+", in: .production)
        #expect(page.signedPayloads == ["n1", "n2"])
        #expect(page.undelivered == 1)
        let request = try #require(exchange.requests.first)
        #expect(request.method == "POST")
        #expect(request.url.hasSuffix("/inApps/v1/notifications/history?paginationToken=p%2B"))
        #expect(try JSONValue(parsing: request.body ?? []) == ["startDate": 5, "endDate": 9])
    }

    @Test func anIdUnknownInProductionIsLookedForInSandbox() async throws {
        let exchange = ScriptedExchange { request in
            request.url.contains("sandbox")
                ? ReceivedAnswer(status: 200, body: Array(#"{"signedTransactionInfo":"s"}"#.utf8))
                : ReceivedAnswer(status: 404, body: Array(#"{"errorCode":4040010}"#.utf8))
        }
        let found = try await ServerAPISample.client(exchange).callAnywhere(.transactionInfo("1"))
        #expect(found.environment == .sandbox)
    }

    @Test func anyOtherErrorIsNoReasonToChangeTheEnvironment() async throws {
        let exchange = ScriptedExchange(status: 500, body: ["errorCode": 5_000_001])
        let client = try ServerAPISample.client(exchange)
        await #expect(throws: ServerAPIError.self) { try await client.callAnywhere(.transactionInfo("1")) }
        #expect(exchange.requests.count == 1)
    }

    @Test func after429TheEndpointIsLeftAloneUntilThen() async throws {
        let pacer = PatientPacer()
        let exchange = ScriptedExchange { _ in
            ReceivedAnswer(
                status: 429, headers: [(name: "Retry-After", value: "\(Authority.now + 30_000)")])
        }
        let client = try ServerAPISample.client(exchange, pacer: pacer)
        await #expect(throws: ServerAPIError.self) { try await client.call(.statuses(of: "1"), in: .production) }
        #expect(pacer.now() == Authority.now)
        await #expect(throws: ServerAPIError.self) { try await client.call(.statuses(of: "1"), in: .production) }
        #expect(pacer.now() == Authority.now + 30_000)
    }

    @Test func unauthorizedThrowsTheTokenAway() async throws {
        let exchange = ScriptedExchange(status: 401, body: .null)
        let client = try ServerAPISample.client(exchange)
        for _ in 0..<2 {
            await #expect(throws: ServerAPIError.self) { try await client.call(.statuses(of: "1"), in: .production) }
        }
        let tokens = exchange.requests.compactMap { request in
            request.headers.first { $0.name == "Authorization" }?.value
        }
        #expect(tokens.count == 2)
        #expect(tokens[0] != tokens[1])
    }

    @Test func nobodyAnswersIsARetry() async throws {
        let exchange = ScriptedExchange { _ throws(ExchangeFailure) in throw ExchangeFailure(.timedOut, "30 s") }
        let client = try ServerAPISample.client(exchange)
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.call(.statuses(of: "1"), in: .production)
        }
        #expect(error?.code == .noAnswer)
        #expect(error?.remedy == .retry)
    }

    @Test(arguments: [#"{"data":5}"#, #"{"data":[5]}"#, #"{"data":[{"lastTransactions":"x"}]}"#])
    func anAnswerOfAnotherFormIsUnreadable(body: String) async throws {
        let exchange = ScriptedExchange { _ in ReceivedAnswer(status: 200, body: Array(body.utf8)) }
        let client = try ServerAPISample.client(exchange)
        let error = await #expect(throws: ServerAPIError.self) { try await client.statuses(of: "1", in: .production) }
        #expect(error?.code == .unreadable)
    }

    @Test func otherCallsHaveTheFormThatAppleDocuments() throws {
        let account = try #require(AccountID("A1A1A1A1-0000-4000-8000-00000000000A"))
        let token = ServerAPIRequest.setAppAccountToken(account, lineage: "7")
        #expect(token.method == "PUT")
        #expect(token.target == "/inApps/v1/transactions/7/appAccountToken")
        #expect(token.body == ["appAccountToken": "a1a1a1a1-0000-4000-8000-00000000000a"])
        let extend = ServerAPIRequest.extendRenewal(of: "7", days: 3, reason: 1, identifier: "outage")
        #expect(extend.target == "/inApps/v1/subscriptions/extend/7")
        #expect(extend.body == ["extendByDays": 3, "extendReasonCode": 1, "requestIdentifier": "outage"])
        let report = ConsumptionReport(
            deliveryStatus: "DELIVERED", sampleContentProvided: false, consumedMilliunits: 50_000, preference: .decline)
        let consumption = ServerAPIRequest.consumption("7", report)
        #expect(consumption.target == "/inApps/v2/transactions/consumption/7")
        #expect(consumption.body?["customerConsented"] == true)
        #expect(consumption.body?["refundPreference"] == "DECLINE")
        #expect(ServerAPIRequest.order("M1").target == "/inApps/v1/lookup/M1")
        #expect(
            ServerAPIRequest.refundHistory(of: "7", revision: "r").target == "/inApps/v2/refund/lookup/7?revision=r")
        #expect(ServerAPIRequest.testNotificationStatus("t").target == "/inApps/v1/notifications/test/t")
    }

    @Test func eachCallIsCounted() async throws {
        let counted = Mutex<[String]>([])
        let client = ServerAPIClient(
            key: try ServerAPISample.key(.init(generating: .p256)), bundleId: "com.example.app",
            exchange: ScriptedExchange(status: 404, body: ["errorCode": 4_040_010]), pacer: PatientPacer(),
            onCall: { endpoint, label in counted.withLock { $0.append("\(endpoint.rawValue) \(label)") } })
        _ = try? await client.callAnywhere(.transactionInfo("1"))
        #expect(counted.withLock { $0 } == Array(repeating: "transactionInfo refused:4040010", count: 2))
    }
}
