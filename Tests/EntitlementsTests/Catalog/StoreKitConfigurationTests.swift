import Entitlements
import TestSupport
import Testing

@Suite("Import of Xcode's StoreKit configuration")
struct StoreKitConfigurationTests {
    private func configuration(major: Int = 4, _ content: String) throws(DocumentError) -> StoreKitConfiguration {
        try StoreKitConfiguration(
            JSONDocument(
                parsing: "{\"identifier\": \"X\", \(content), \"version\": {\"major\": \(major), \"minor\": 0}}",
                file: "Store.storekit"))
    }

    private static let group = """
        "subscriptionGroups": [{"id": "G1", "name": "premium", "subscriptions": [
            {"productID": "year", "groupNumber": 1, "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1Y"},
            {"productID": "month", "groupNumber": 3, "type": "RecurringSubscription", "familyShareable": true}]}]
        """

    @Test("Subscriptions: Xcode's level 1 is the highest, here the greatest number is", arguments: [3, 4, 5])
    func subscriptions(major: Int) throws {
        let configuration = try configuration(major: major, Self.group)
        #expect(
            configuration.products == [
                "year": Product(
                    type: .autoRenewable, subscriptionGroup: "G1", level: 3, entitlements: ["premium"]),
                "month": Product(
                    type: .autoRenewable, subscriptionGroup: "G1", level: 1, entitlements: ["premium"]),
            ])
        #expect(configuration.assumptions.count == 1)
    }

    @Test("What the file does not say is filled in, and said")
    func assumptions() throws {
        let configuration = try configuration(
            """
            "products": [{"productID": "life", "type": "NonConsumable"}, {"productID": "gems", "type": "Consumable"}],
            "nonRenewingSubscriptions": [{"productID": "pass", "type": "NonRenewingSubscription"}]
            """)
        #expect(configuration.products["life"]?.entitlements == ["life"])
        #expect(configuration.products["gems"]?.credits == Product.Credits(currency: "gems", amount: 1))
        #expect(configuration.products["pass"]?.duration?.text == "P30D")
        #expect(configuration.assumptions.count == 3)
        let catalog = configuration.catalog(bundleId: "com.example.app")
        let text = JSONValue.object(catalog.json).text
        #expect(try Catalog(JSONDocument(parsing: text, file: "c.json")) == catalog)
    }

    @Test(
        "Refused with the place",
        arguments: [
            (2, #""products": []"#, "version.major"), (6, #""products": []"#, "version.major"),
            (4, #""products": [{"type": "Consumable"}]"#, "products[0]"),
            (4, #""products": [{"productID": "a", "type": "Rental"}]"#, "products[0].type"),
            (
                4, #""products": [{"productID": "a", "type": "Consumable"}, {"productID": "a", "type": "Consumable"}]"#,
                "products[1]"
            ),
        ])
    func refused(major: Int, content: String, place: String) {
        let error = #expect(throws: DocumentError.self) { try configuration(major: major, content) }
        #expect(error?.place == place)
    }
}

/// Configurations of real apps.
private let realConfigurations = ((try? SharedFiles.names(in: "vectors/storekit")) ?? []).filter {
    $0.hasSuffix(".storekit")
}

@Test("The real configurations are there: without them nothing below would be tested")
func theConfigurationsAreThere() { #expect(!realConfigurations.isEmpty) }

@Test("Real configurations make catalogs that read back", arguments: realConfigurations)
func realConfiguration(name: String) throws {
    let text = try SharedFiles.text("vectors/storekit/\(name)")
    let configuration = try StoreKitConfiguration(JSONDocument(parsing: text, file: name))
    let catalog = configuration.catalog(bundleId: "com.example.app")
    #expect(catalog.products.count >= 3)
    #expect(!configuration.assumptions.isEmpty)
    #expect(try Catalog(JSONDocument(parsing: JSONValue.object(catalog.json).text, file: "catalog.json")) == catalog)
}
