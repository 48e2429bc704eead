import Entitlements

/// The pending purchases of one account on the disk. They prove nothing and grant nothing, so they are not signed.
struct PendingStore: Sendable {
    private let path: String

    private static let format: Int64 = 1

    init(accountDirectory: String) { path = accountDirectory + "/pending.json" }

    /// What was kept, oldest first; nil when the file is not what `save` writes.
    func load() -> [PendingPurchase]? {
        guard let bytes = try? Files.read(path, limit: 1 << 20) else { return [] }
        guard let object = (try? JSONValue(parsing: bytes))?.objectValue, object["format"]?.integerValue == Self.format,
            let entries = object["pending"]?.arrayValue
        else { return nil }
        var pending: [PendingPurchase] = []
        for entry in entries {
            guard let entry = entry.objectValue, let productId = entry["productId"]?.stringValue,
                let since = entry["since"]?.integerValue, let until = entry["until"]?.integerValue,
                // Differences of such times cannot overflow.
                0 <= since, since <= until, until < Time.plausible.upperBound
            else { return nil }
            pending.append(PendingPurchase(productId: productId, since: since, until: until))
        }
        return pending
    }

    /// Keeps these and no others.
    func save(_ pending: [PendingPurchase]) throws(ClientError) {
        guard !pending.isEmpty else { return try Files.remove(path) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", Self.format)
            writer.name("pending")
            writer.array { writer in
                for purchase in pending {
                    writer.object { writer in
                        writer.member("productId", purchase.productId)
                        writer.member("since", purchase.since)
                        writer.member("until", purchase.until)
                    }
                }
            }
        }
        try Files.replace(path, with: writer.bytes)
    }
}
