import Foundation

/// What the command line of the sample says.
struct SampleOptions {
    var url = ""
    var bundleId = ""
    var account = ""
    var token = ""
    var environment = "Production"
    var keys: [String] = []
    var keysURL: String?
    var storage = ".entitled-client"
    var pushes: [String] = []
    var entitlements: [String] = []
    var nowOffset: Int64 = 0
    var wait: Int64 = 5_000
    var pending: [String] = []
    /// 0: any free one.
    var pagePort: Int?
    var once = false
    var json = false
    var readOnly = false
    var help = false

    static let usage = """
        entitled-sample shows what an account has paid for, and keeps showing it without the service.

        entitled-sample --url URL --bundle-id B --account UUID --token T (--key KEY… | --keys-url URL) [options]

          --url URL            the service, such as http://127.0.0.1:8080
          --token T            a device token of the account; also from ENTITLED_TOKEN
          --key [KID=]BASE64   a public key that signs snapshots, 32 bytes in base64url; may repeat
          --keys-url URL       take the keys from a JWKS address: for development only, it pins nothing
          --environment E      Production (default) or Sandbox
          --storage DIR        where the cache and the outbox are (default .entitled-client)
          --push FILE          a signed transaction to hand over first; may repeat
          --pending PRODUCT    report a purchase that waits for an approval (Ask to Buy); may repeat
          --page PORT          also serve a paywall page at http://127.0.0.1:PORT; /states shows all it can look like
          --entitlement ID     also show this entitlement when the account has no entry of it; may repeat
          --once               print the answer and exit: as soon as the service is reached, or after --wait
          --wait DURATION      how long --once waits for the service (default 5s)
          --json               one JSON line a change
          --read-only          only read what another process keeps
          --now-offset DUR     only read, with this process's clocks set forward: 3d shows the offline limit

        Durations: 90s, 15m, 2h, 3d. Try: start it, stop the service, start it again, then with --now-offset 3d.
        Example: entitled-sample --url http://127.0.0.1:8080 --bundle-id com.example.app --environment Sandbox \\
          --account a1a1a1a1-0000-4000-8000-00000000000a --keys-url http://127.0.0.1:8080/.well-known/jwks.json
        """

    init(_ arguments: [String]) throws(UsageError) {
        token = ProcessInfo.processInfo.environment["ENTITLED_TOKEN"] ?? ""
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--once": once = true
            case "--json": json = true
            case "--read-only": readOnly = true
            case "--help", "-h": help = true
            default:
                guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value, or is no option") }
                try take(name, value)
            }
        }
        guard !help else { return }
        for (name, value) in [("--url", url), ("--bundle-id", bundleId), ("--account", account)] where value.isEmpty {
            throw UsageError("\(name) is missing")
        }
        guard !keys.isEmpty || keysURL != nil else { throw UsageError("--key is missing; for development --keys-url") }
    }

    private mutating func take(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "--url": url = value
        case "--bundle-id": bundleId = value
        case "--account": account = value
        case "--token": token = value
        case "--environment": environment = value
        case "--key": keys.append(value)
        case "--keys-url": keysURL = value
        case "--storage": storage = value
        case "--push": pushes.append(value)
        case "--pending": pending.append(value)
        case "--page":
            guard let port = Int(value), (0...65_535).contains(port) else { throw UsageError("\(value) is no port") }
            pagePort = port
        case "--entitlement": entitlements.append(value)
        case "--now-offset": nowOffset = try Self.duration(value)
        case "--wait": wait = try Self.duration(value)
        default: throw UsageError("\(name) is no option")
        }
    }

    private static func duration(_ text: String) throws(UsageError) -> Int64 {
        let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()),
            (0...1_000_000).contains(count)
        else { throw UsageError("\(text) is no duration: write 90s, 15m, 2h or 3d") }
        return count * unit
    }
}

/// A command line that cannot be followed.
struct UsageError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
