import EntitledClient
import Entitlements
import Foundation
import WebClient

/// A terminal program over the client library: online, a change arriving, the service gone, a restart offline, past the limit.
@main
struct Sample {
    static func main() async {
        do {
            let options = try SampleOptions(Array(CommandLine.arguments.dropFirst()))
            if options.help { return print(SampleOptions.usage) }
            try await run(options)
        } catch let error as UsageError {
            end(2, error.message + "; see entitled-sample --help")
        } catch {
            end(1, "\(error)")
        }
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("entitled-sample: \(message)\n".utf8))
        exit(code)
    }

    private static func run(_ options: SampleOptions) async throws {
        let client = try EntitledClient(configuration: await configuration(options))
        let display = Display(extra: options.entitlements, asJSON: options.json)
        await client.start()
        for file in options.pushes { try await push(file, to: client) }
        for product in options.pending { try await client.purchaseIsPending(productId: product) }
        if options.once {
            let status = await settledStatus(of: client, within: options.wait)
            await client.stop()
            return write(display.text(await client.view, status))
        }
        guard let port = options.pagePort else { return await show(client, display) }
        let page = try await PageServer.start(port: port, client: client, entitlements: options.entitlements)
        write("the page is at http://127.0.0.1:\(page.port)")
        await show(client, display)
    }

    private static func configuration(_ options: SampleOptions) async throws -> ClientConfiguration {
        guard let url = URL(string: options.url) else { throw UsageError("--url is no URL") }
        guard let account = AccountID(options.account) else { throw UsageError("--account is no UUID") }
        let token = options.token
        var configuration = ClientConfiguration(
            service: url, bundleId: options.bundleId, environment: Environment(rawValue: options.environment),
            account: account, pinnedKeys: try await keys(options),
            storageDirectory: URL(fileURLWithPath: options.storage)
        ) {
            token.isEmpty ? nil : token
        }
        if options.readOnly { configuration.role = .readOnly }
        if options.nowOffset > 0 {
            // What a clock has shown is kept and never goes back, so a made-up time must not be kept.
            configuration.role = .readOnly
            configuration.clock = OffsetClock(offset: options.nowOffset)
        }
        return configuration
    }

    /// The pinned keys. Those of an address are kept beside the cache, so that the sample starts offline as well; an app has
    /// its keys inside.
    private static func keys(_ options: SampleOptions) async throws -> PinnedKeys {
        guard let address = options.keysURL else {
            guard options.keys.count > 1 || options.keys[0].contains("=") else {
                return try PinnedKeys(key: options.keys[0])
            }
            let pairs = options.keys.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            guard pairs.allSatisfy({ $0.count == 2 }) else { throw UsageError("several keys are given as KID=KEY") }
            return try PinnedKeys(Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 })
        }
        let kept = URL(fileURLWithPath: options.storage).appendingPathComponent("development-keys.json")
        if let answer = try? await WebClient().send(WebRequest(url: address)), answer.status == 200,
            let keys = try? PinnedKeys(jwks: answer.body)
        {
            try FileManager.default.createDirectory(
                at: kept.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(answer.body).write(to: kept, options: .atomic)
            return keys
        }
        return try PinnedKeys(jwks: [UInt8](try Data(contentsOf: kept)))
    }

    private static func push(_ file: String, to client: EntitledClient) async throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        // One signed transaction, or the body of a push as `entitled dev` writes it.
        let body = (try? JSONValue(parsing: Array(text.utf8)))?.objectValue
        func list(_ name: String) -> [String] { (body?[name]?.arrayValue ?? []).compactMap(\.stringValue) }
        let transactions = body == nil ? [text.filter { !$0.isWhitespace }] : list("signedTransactions")
        let results = try await client.push(
            signedTransactions: transactions, signedRenewalInfos: list("signedRenewalInfos"))
        for result in results {
            let reason = result.reason.map { ", \($0)" } ?? ""
            write("pushed: \(result.outcome.rawValue)\(reason), may finish: \(result.finish)")
        }
    }

    /// Unbuffered: whoever reads a pipe sees a change when it comes.
    private static func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// The first status that says how things stand, or the one there is when the time is over.
    private static func settledStatus(of client: EntitledClient, within wait: Int64) async -> ConnectionStatus {
        await withTaskGroup(of: ConnectionStatus?.self) { group in
            group.addTask {
                for await status in client.connectionStatus
                where ![.stopped, .connecting, .waiting, .offline].contains(status) { return status }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(wait))
                return nil
            }
            let settled = await group.next() ?? nil
            group.cancelAll()
            if let settled { return settled }
            for await status in client.connectionStatus { return status }
            return .stopped
        }
    }

    /// Shows every change, and on a terminal the countdown to the limit as well.
    private static func show(_ client: EntitledClient, _ display: Display) async {
        let isTerminal = isatty(STDOUT_FILENO) == 1 && !display.asJSON
        await withTaskGroup(of: Void.self) { group in
            let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let status = LastStatus()
            group.addTask { for await _ in client.updates { continuation.yield() } }
            group.addTask {
                for await new in client.connectionStatus {
                    await status.set(new)
                    continuation.yield()
                }
            }
            if isTerminal {
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield() }
                }
            }
            var last = ""
            for await _ in changes {
                let text = display.text(await client.view, await status.value)
                guard isTerminal || text != last else { continue }
                last = text
                // Home and clear to the end: the screen is redrawn in place.
                write((isTerminal ? "\u{1B}[H\u{1B}[J" : "") + text)
            }
        }
    }
}

/// The status shown last.
private actor LastStatus {
    private(set) var value = ConnectionStatus.stopped

    func set(_ status: ConnectionStatus) { value = status }
}
