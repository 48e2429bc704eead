/// What differs between two catalogs of an app, for people and for machines.
public struct CatalogDiff: Sendable, Hashable {
    /// One thing that differs.
    public struct Change: Sendable, Hashable {
        /// Where: `products.pro.m.level`, `policies.transfer`, `appAppleId`; a whole product when it is added or removed.
        public let place: String
        /// What it was; nil when it was not there.
        public let old: JSONValue?
        /// What it is now; nil when it is gone.
        public let new: JSONValue?
    }

    /// Every change: the app's own first, then products by id, then policies.
    public let changes: [Change]

    /// Compares two catalogs.
    public init(from old: Catalog, to new: Catalog) {
        let (before, after) = (old.json, new.json)
        var changes = Self.changes(
            before.without(["products", "policies"]), after.without(["products", "policies"]), "")
        for id in Set(old.products.keys).union(new.products.keys).sorted() {
            switch (old.products[id], new.products[id]) {
            case (let product?, let other?):
                changes += Self.changes(product.json, other.json, "products.\(id).")
            case (let product, let other):
                changes.append(
                    Change(
                        place: "products.\(id)", old: product.map { .object($0.json) },
                        new: other.map { .object($0.json) })
                )
            }
        }
        self.changes = changes + Self.changes(old.policies.json, new.policies.json, "policies.")
    }

    private static func changes(_ old: JSONObject, _ new: JSONObject, _ prefix: String) -> [Change] {
        let names = old.names + new.names.filter { old[$0] == nil }
        return names.filter { old[$0] != new[$0] }.map { Change(place: prefix + $0, old: old[$0], new: new[$0]) }
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { changes.isEmpty }

    /// One line a change: `+` added, `-` removed, `~` changed.
    public var lines: [String] {
        changes.map { change in
            switch (change.old, change.new) {
            case (nil, let new?): "+ \(change.place): \(new.text)"
            case (let old?, nil): "- \(change.place): \(old.text)"
            case (let old, let new): "~ \(change.place): \(old?.text ?? "nothing") -> \(new?.text ?? "nothing")"
            }
        }
    }

    /// `[{"place":…,"old":…,"new":…}]`; null stands for nothing.
    public var json: JSONValue {
        .array(
            changes.map { change in
                .object(["place": .string(change.place), "old": change.old ?? .null, "new": change.new ?? .null])
            })
    }
}
