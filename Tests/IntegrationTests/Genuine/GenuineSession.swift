import Entitlements
import Foundation
import Signatures
import TestSupport
import Testing

/// 14 notifications that Apple signed in one life of a subscription (Sandbox, no account token in them).
enum GenuineSession {
    static let catalog = Catalog(
        bundleId: "com.loki-project.loki-messenger", appAppleId: 1_470_168_868,
        products: [
            "com.getsession.org.pro_sub": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro"]),
            "com.getsession.org.pro_sub_3_months": Product(
                type: .autoRenewable, subscriptionGroup: "pro", level: 1, entitlements: ["pro"]),
        ])
    static let account = AccountID(UUID(uuid: (5, 5, 5, 5, 5, 5, 0x45, 5, 0x85, 5, 5, 5, 5, 5, 5, 5)))

    private static let folder = "vectors/apple-signed-sandbox/session"

    static func jws(_ name: String) throws -> String {
        String(try SharedFiles.text("\(folder)/\(name)").filter { !$0.isWhitespace })
    }

    /// In the order Apple signed them.
    static func notifications() throws -> [String] {
        try SharedFiles.names(in: folder).filter { $0.hasSuffix(".jws") }.map(jws)
    }

    /// What a device has of the subscription.
    static func transaction(_ name: String = "05-SUBSCRIBED-RESUBSCRIBE") throws -> String {
        try jws("inner/\(name).transaction.jws")
    }

    /// When `pro` is had, by the payloads' dates; the refund came after the end of the period it was for.
    static let intervals = [
        (1_759_302_552_000, 1_759_302_732_000), (1_759_388_767_000, 1_759_388_947_000),
        (1_759_727_778_000, 1_759_727_970_000), (1_760_335_129_000, 1_760_335_309_000),
        (1_760_591_774_000, 1_760_592_314_000),
    ].map { Interval($0.0, $0.1) }

    /// Each instant at which something begins or ends, one millisecond before it, and one after it. The last but one is the
    /// upgrade within a period.
    static let instants: [Milliseconds] =
        (intervals.flatMap { [$0.start, $0.end] } + [1_759_727_790_000]).flatMap { [$0 - 1, $0, $0 + 1] }

    /// The same facts by the rules alone, in memory.
    private static let world = Result { () throws -> World in
        var world = World(
            app: AppTerms(bundleId: catalog.bundleId, catalogs: CatalogHistory(catalog)), known: [account])
        for text in try notifications() {
            let payload = try decoded(text)
            let data = payload["data"]?.objectValue
            _ = world.notify(
                payload, transaction: try data?["signedTransactionInfo"]?.stringValue.map(decoded),
                renewalInfo: try data?["signedRenewalInfo"]?.stringValue.map(decoded), at: 1)
        }
        _ = world.push(account: account, transactions: [try decoded(try transaction())], at: 2)
        return world
    }

    /// What must be answered at an instant. How many events there were depends on the order they came in.
    static func expected(at instant: Milliseconds) throws -> Snapshot {
        try world.get().snapshot(account: account, environment: .sandbox, at: instant).withoutVersion
    }

    private static func decoded(_ jws: String) throws -> JSONObject {
        let bytes = try #require(Base64URL.decode(jws.split(separator: ".")[1].utf8))
        return try #require(try JSONValue(parsing: bytes).objectValue)
    }
}

extension Snapshot {
    /// What it says, whatever the number of events it follows from.
    var withoutVersion: Snapshot {
        var snapshot = self
        snapshot.version = 0
        return snapshot
    }
}
