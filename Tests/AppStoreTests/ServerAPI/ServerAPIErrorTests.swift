import AppStore
import Entitlements
import Testing

@Suite struct ServerAPIErrorTests {
    private func failure(
        status: Int, body: String = "", headers: [(name: String, value: String)] = []
    ) async throws -> ServerAPIError? {
        let client = try ServerAPISample.client(
            ScriptedExchange { _ in ReceivedAnswer(status: status, headers: headers, body: Array(body.utf8)) })
        do throws(ServerAPIError) {
            _ = try await client.call(.transactionInfo("1"), in: .production)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (404, 4_040_010, ServerAPIError.Remedy.otherEnvironment), (404, 4_040_005, .otherEnvironment),
            (404, 4_040_002, .retry), (404, 4_040_004, .retry), (404, 4_040_006, .retry), (500, 5_000_001, .retry),
            (500, 5_000_000, .retry), (400, 4_000_005, .restartPaging), (400, 4_000_017, .restartPaging),
            (404, 4_040_007, .operatorMust), (404, 4_040_001, .giveUp), (400, 4_000_006, .giveUp),
            (403, 4_030_004, .giveUp),
        ])
    func applesCodesSayWhatToDo(status: Int, code: Int64, remedy: ServerAPIError.Remedy) async throws {
        let error = try await failure(status: status, body: #"{"errorCode":\#(code),"errorMessage":"Said so."}"#)
        #expect(error?.remedy == remedy)
        #expect(error?.appleCode == code)
        #expect(error?.label == "refused:\(code)")
        #expect(error?.message == "Said so.")
    }

    @Test func unauthorizedHasNoBodyAndNoRetry() async throws {
        let error = try await failure(status: 401)
        #expect(error?.code == .unauthorized)
        #expect(error?.remedy == .operatorMust)
    }

    @Test(arguments: [500, 502, 503, 404, 302, 403])
    func aPageOfAProxyIsNoVerdict(status: Int) async throws {
        let error = try await failure(status: status, body: "<html><body>Bad Gateway</body></html>")
        #expect(error?.code == .unavailable)
        #expect(error?.remedy == .retry)
    }

    @Test(arguments: ["<html></html>", "[1]", #"{"signedTransactionInfo":"#])
    func aGoodStatusWithoutAnObjectIsUnreadable(body: String) async throws {
        let error = try await failure(status: 200, body: body)
        #expect(error?.code == .unreadable)
        #expect(error?.remedy == .retry)
    }

    @Test func aMessageCannotDisturbATerminal() async throws {
        let error = try await failure(
            status: 400, body: #"{"errorCode":4000006,"errorMessage":"a\u001b[31mb\nc"}"#)
        #expect(error?.message == "a[31mbc")
    }

    @Test(
        arguments: [
            // UNIX milliseconds, as Apple sends them.
            ("\(Authority.now + 90_000)", Authority.now + 90_000),
            // In the past: soon, but not at once.
            ("\(Authority.now - 90_000)", Authority.now + 1000),
            // Fifty thousand years would be the end of the service.
            ("\(Authority.now * 900)", Authority.now + 3_600_000),
            ("\(Authority.now + 86_400_000)", Authority.now + 3_600_000),
            // Seconds, as everybody else sends them.
            ("120", Authority.now + 120_000), ("soon", Authority.now + 60_000), ("-5", Authority.now + 60_000),
        ])
    func retryAfterIsUnixMilliseconds(header: String, until: Milliseconds) async throws {
        let error = try await failure(
            status: 429, body: #"{"errorCode":4290000}"#, headers: [(name: "retry-after", value: header)])
        #expect(error?.remedy == .wait(until: until))
    }

    @Test func retryAfterMayBeMissing() async throws {
        #expect(try await failure(status: 429)?.remedy == .wait(until: Authority.now + 60_000))
    }
}
