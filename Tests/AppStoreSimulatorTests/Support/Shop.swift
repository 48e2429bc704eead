import AppStoreSimulator
import Entitlements
import FoundationEssentials

/// The configuration of the scenarios.
enum Shop {
    static let bundleId = "com.example.app"
    static let appAppleId: Int64 = 1_234_567_890
    /// 1 July 2026, ten hours and 250 ms: not a whole second, so that cutting to seconds shows.
    static let start: Milliseconds = 1_782_900_000_250

    static let directory: URL = {
        var root = URL(filePath: #filePath)
        // Shop.swift, Support, AppStoreSimulatorTests, Tests.
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "scenarios")
    }()

    static func catalog() throws -> SaleCatalog {
        let bytes = try Array(Data(contentsOf: directory.appending(path: "shop.storekit")))
        return try SaleCatalog(JSONDocument(parsing: bytes, file: "shop.storekit"))
    }

    static func settings(_ environment: Entitlements.Environment = .sandbox) -> StoreSettings {
        StoreSettings(bundleId: bundleId, appAppleId: appAppleId, environment: environment)
    }
}

/// A store that a test drives, in the words of the acts' JSON.
struct DrivenStore {
    var store: Store

    init() throws { store = Store(Shop.settings(), catalog: try Shop.catalog(), now: Shop.start) }

    @discardableResult
    mutating func act(_ json: JSONObject) throws -> [Happening] {
        try store.perform(Act(json), at: store.now)
    }

    @discardableResult
    mutating func buy(_ product: String, by customer: String = "c1", token: String? = nil) throws -> JSONObject {
        var act: JSONObject = ["act": "buy", "customer": .string(customer), "productId": .string(product)]
        act["appAccountToken"] = token.map(JSONValue.string)
        return try self.act(act)[0].statements[0].transaction
    }

    mutating func pass(_ span: Milliseconds) -> [Happening] { store.advance(to: store.now + span) }
    mutating func pass(to time: Milliseconds) -> [Happening] { store.advance(to: time) }
}

extension [Happening] {
    /// `TYPE/SUBTYPE` of every notification, in order.
    var types: [String] {
        flatMap(\.notifications).map { $0.type + ($0.subtype.map { "/\($0)" } ?? "") }
    }

    var transactions: [JSONObject] { flatMap(\.statements).map(\.transaction) }
    var renewalInfos: [JSONObject] { flatMap(\.statements).compactMap(\.renewalInfo) }
}

let day = Time.day
let tokenA = "a1a1a1a1-0000-4000-8000-00000000000a"
let tokenB = "b2b2b2b2-0000-4000-8000-00000000000b"
