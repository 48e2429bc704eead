import Entitlements
import Foundation
import Service

/// The devices of many accounts: their tokens and their requests, made before the clock starts.
struct Fleet: Sendable {
    let purchases: Purchases
    let keys: ServiceKeys
    private let tokens: [String]

    init(accounts: Int) throws {
        purchases = try Purchases()
        keys = try ServiceKeys.generate(at: purchases.now)
        let issuer = try TokenIssuer(keys)
        let now = purchases.now
        tokens = try (0..<accounts).map { number in
            try issuer.issue(
                AccessToken(
                    subject: Purchases.account(number), app: Purchases.bundleId, scope: .device, expires: now + Time.day
                ),
                at: now)
        }
    }

    var accounts: Int { tokens.count }

    /// The bytes of a GET of the account's snapshot, or of a poll if there is a cursor.
    func get(account: Int, cursor: String? = nil, wait: Int = 240) -> [UInt8] {
        let query = cursor.map { "&cursor=\($0)&wait=\(wait)" } ?? ""
        return Array((head("GET", account, "entitlements", query) + "\r\n").utf8)
    }

    /// The bytes of a push of transactions `first ..< first + count` of the account.
    func push(account: Int, first: Int, count: Int) throws -> [UInt8] {
        let signed = try (first..<first + count).map { try purchases.signed(account: account, number: $0) }
        let body = "{\"signedTransactions\":[\"\(signed.joined(separator: "\",\""))\"]}"
        let head = head("POST", account, "transactions", "")
        return Array("\(head)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private func head(_ method: String, _ account: Int, _ resource: String, _ query: String) -> String {
        "\(method) /v1/apps/\(Purchases.bundleId)/accounts/\(Purchases.account(account))/\(resource)"
            + "?environment=\(Purchases.environment)\(query) HTTP/1.1\r\n"
            + "Host: 127.0.0.1\r\nUser-Agent: entitled-bench\r\nAuthorization: Bearer \(tokens[account])\r\n"
    }
}

/// A file of requests for the load generators.
struct RequestFile {
    private let file: FileHandle
    private var buffer: [UInt8] = []
    let path: String

    init(_ name: String, _ bench: Bench) throws {
        path = try bench.scratch.write([], to: name)
        guard let file = FileHandle(forWritingAtPath: path) else { throw BenchmarkError("cannot write \(path)") }
        self.file = file
    }

    mutating func add(_ request: [UInt8]) throws {
        withUnsafeBytes(of: UInt32(request.count).littleEndian) { buffer.append(contentsOf: $0) }
        buffer += request
        if buffer.count > 1 << 20 { try flush() }
    }

    mutating func flush() throws {
        try file.write(contentsOf: Data(buffer))
        buffer = []
    }
}
