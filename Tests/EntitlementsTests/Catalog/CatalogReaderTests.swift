import Entitlements
import Testing

@Suite("Catalog files")
struct CatalogReaderTests {
    private func catalog(_ products: String, policies: String = "{}") throws(DocumentError) -> Catalog {
        try Catalog(
            JSONDocument(
                parsing:
                    "{\"bundleId\": \"com.example.app\",\n\"products\": {\n\(products)},\n\"policies\": \(policies)}",
                file: "catalog.json"))
    }

    private func complaint(_ products: String, policies: String = "{}") -> DocumentError? {
        do throws(DocumentError) {
            _ = try catalog(products, policies: policies)
            return nil
        } catch {
            return error
        }
    }

    static let complete = """
        "pro.m": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2, "entitlements": ["pro"]},
        "life": {"type": "Non-Consumable", "entitlements": ["pro", "export"]},
        "pass": {"type": "Non-Renewing Subscription", "entitlements": ["pro"], "duration": "P1M", "stacking": "overlap"},
        "coins": {"type": "Consumable", "credits": {"currency": "coins", "amount": 100}}
        """

    @Test("A complete catalog, and what it leaves out")
    func complete() throws {
        let catalog = try catalog(Self.complete, policies: "{\"transfer\": \"never\", \"offlineGrace\": \"PT12H\"}")
        #expect(catalog.bundleId == "com.example.app")
        #expect(catalog.appAppleId == nil)
        #expect(catalog.products.count == 4)
        #expect(catalog.products["life"]?.level == 0)
        #expect(catalog.products["pass"]?.duration == CalendarDuration(months: 1))
        #expect(catalog.products["pass"]?.stacking == .overlap)
        #expect(catalog.products["coins"]?.credits == Product.Credits(currency: "coins", amount: 100))
        #expect(catalog.policies.transfer == .never)
        #expect(catalog.policies.offlineGrace == 12 * 3_600_000)
        #expect(catalog.policies.refundDebt == .floor)
    }

    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    @Test("Ids that only Unicode takes for one are two, and not taken together")
    func unicodeForms() throws {
        let product = #"{"type": "Non-Consumable", "entitlements": ["pro"]}"#
        #expect(try catalog("\"\(Self.composed)\": \(product)").product(Self.composed) != nil)
        #expect(try catalog("\"\(Self.composed)\": \(product)").product(Self.decomposed) == nil)
        let entitlements = [Self.composed, Self.decomposed].enumerated().map {
            "\"p\($0)\": {\"type\": \"Non-Consumable\", \"entitlements\": [\"\($1)\"]}"
        }
        let error = complaint(entitlements.joined(separator: ",\n"))
        #expect(error?.code == .duplicate && error?.place == "products.p1")
        #expect(complaint("\"\(Self.composed)\": \(product), \"\(Self.decomposed)\": \(product)") != nil)
    }

    @Test("An error says control characters as numbers: a terminal would obey them")
    func controlCharacters() throws {
        let error = try #require(complaint(#""p\u001b[2J": {"type": "Non-Consumable", "entitlements": ["a"]}"#))
        #expect(error.place == #"products.p\u{1B}[2J"#)
        #expect(error.reason.contains(#"\u{1B}"#))
        #expect(!error.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("What is written reads back as the same")
    func roundTrip() throws {
        let catalog = try catalog(Self.complete, policies: "{\"refundDebt\": \"negative\", \"transferLimit\": 0}")
        let text = JSONValue.object(catalog.json).text
        #expect(try Catalog(JSONDocument(parsing: text, file: "again.json")) == catalog)
    }

    @Test(
        "A mistake is named with its place",
        arguments: [
            (#""p": {}"#, "products.p", DocumentError.Code.missingKey),
            (#""p": {"type": "Subscription", "entitlements": ["a"]}"#, "products.p.type", .invalidValue),
            (#""p": {"type": "Non-Consumable"}"#, "products.p", .missingKey),
            (#""p": {"type": "Non-Consumable", "entitlements": []}"#, "products.p.entitlements", .missingKey),
            (#""p": {"type": "Non-Consumable", "entitlements": ["a", "a"]}"#, "products.p.entitlements[1]", .duplicate),
            (#""p": {"type": "Non-Consumable", "entitlements": [" a"]}"#, "products.p.entitlements[0]", .invalidValue),
            (#""p": {"type": "Non-Consumable", "entitlements": "a"}"#, "products.p.entitlements", .wrongKind),
            (#""p": {"type": "Non-Consumable", "entitlements": ["a"], "prize": 1}"#, "products.p.prize", .unknownKey),
            (#""p": {"type": "Non-Consumable", "entitlements": ["a"], "level": -1}"#, "products.p.level", .outOfRange),
            (
                #""p": {"type": "Non-Consumable", "entitlements": ["a"], "duration": "P1D"}"#, "products.p.duration",
                .invalidValue
            ),
            (
                #""p": {"type": "Non-Consumable", "entitlements": ["a"], "credits": {"currency": "c", "amount": 1}}"#,
                "products.p.credits", .invalidValue
            ),
            (#""p": {"type": "Non-Renewing Subscription", "entitlements": ["a"]}"#, "products.p", .missingKey),
            (
                #""p": {"type": "Non-Renewing Subscription", "entitlements": ["a"], "duration": "P0D"}"#,
                "products.p.duration", .invalidValue
            ),
            (
                #""p": {"type": "Non-Renewing Subscription", "entitlements": ["a"], "duration": "P1D", "stacking": "x"}"#,
                "products.p.stacking", .invalidValue
            ),
            (#""p": {"type": "Consumable"}"#, "products.p", .missingKey),
            (
                #""p": {"type": "Consumable", "credits": {"currency": "c", "amount": 0}}"#, "products.p.credits.amount",
                .outOfRange
            ),
            (
                #""p": {"type": "Consumable", "credits": {"currency": "c", "amount": -5}}"#,
                "products.p.credits.amount", .outOfRange
            ),
            (
                #""p": {"type": "Consumable", "credits": {"currency": "c", "amount": 9223372036854775807}}"#,
                "products.p.credits.amount", .outOfRange
            ),
            (
                #""p": {"type": "Consumable", "credits": {"currency": "c", "amount": 9223372036854775808}}"#,
                "products.p.credits.amount", .wrongKind
            ),
            (
                #""p": {"type": "Consumable", "credits": {"currency": "c", "amount": 1}, "entitlements": ["a"]}"#,
                "products.p.entitlements", .invalidValue
            ),
            (
                #""p": {"type": "Non-Consumable", "entitlements": ["a"]}, "P": {"type": "Non-Consumable", "entitlements": ["a"]}"#,
                "products.P", .duplicate
            ),
            (
                #""p": {"type": "Non-Consumable", "entitlements": ["a"]}, "q": {"type": "Non-Consumable", "entitlements": ["A"]}"#,
                "products.q", .duplicate
            ),
            (#""p ": {"type": "Non-Consumable", "entitlements": ["a"]}"#, "products.p ", .invalidValue),
            (#""": {"type": "Non-Consumable", "entitlements": ["a"]}"#, "products.", .outOfRange),
        ])
    func mistakes(products: String, place: String, code: DocumentError.Code) throws {
        let error = try #require(complaint(products))
        #expect(error.place == place)
        #expect(error.code == code)
        #expect(error.line == 3)
    }

    @Test("A product that stands twice is refused by the reader of JSON")
    func duplicateProduct() {
        let product = #""p": {"type": "Non-Consumable", "entitlements": ["a"]}"#
        #expect(complaint("\(product),\n\(product)")?.code == .notJSON)
    }

    @Test(
        "Policies out of range",
        arguments: [
            ("{\"transfer\": \"always\"}", "policies.transfer"), ("{\"transferLimit\": -1}", "policies.transferLimit"),
            ("{\"transferLimit\": 1001}", "policies.transferLimit"),
            ("{\"offlineGrace\": \"P1M\"}", "policies.offlineGrace"),
            ("{\"offlineGrace\": 3}", "policies.offlineGrace"),
            ("{\"offlineGrace\": \"P367D\"}", "policies.offlineGrace"),
            ("{\"honorGracePeriod\": 1}", "policies.honorGracePeriod"),
            ("{\"staleAccess\": \"\"}", "policies.staleAccess"),
            ("{\"grace\": true}", "policies.grace"), ("{\"refundDebt\": null}", "policies.refundDebt"),
        ])
    func policies(text: String, place: String) {
        #expect(complaint(Self.complete, policies: text)?.place == place)
    }
}

@Suite("Catalog differences")
struct CatalogDiffTests {
    @Test("Products and policies, added, removed and changed")
    func lines() {
        let product = Product(type: .nonConsumable, level: 1, entitlements: ["pro"])
        var old = Catalog(bundleId: "com.example.app", products: ["gone": product, "kept": product, "moved": product])
        var new = old
        #expect(CatalogDiff(from: old, to: new).isEmpty)
        new.products["gone"] = nil
        new.products["new"] = product
        new.products["moved"]?.level = 2
        new.policies.transfer = .never
        old.appAppleId = 1
        #expect(
            CatalogDiff(from: old, to: new).lines == [
                "- appAppleId: 1",
                #"- products.gone: {"type":"Non-Consumable","level":1,"entitlements":["pro"]}"#,
                "~ products.moved.level: 1 -> 2",
                #"+ products.new: {"type":"Non-Consumable","level":1,"entitlements":["pro"]}"#,
                #"~ policies.transfer: "onRestore" -> "never""#,
            ])
        #expect(CatalogDiff(from: old, to: new).json.arrayValue?.count == 5)
    }
}
