/// Where a customer's store is. The few that StoreKit configurations use most; others pay in dollars.
struct Storefront: Sendable, Hashable {
    /// ISO 3166-1 alpha-3.
    let country: String
    /// Apple's number of it.
    let identifier: String
    /// ISO 4217.
    let currency: String

    init(country: String) {
        self.country = country
        (identifier, currency) = Self.known[country] ?? ("143441", "USD")
    }

    private static let known: [String: (String, String)] = [
        "USA": ("143441", "USD"), "AUS": ("143460", "AUD"), "CAN": ("143455", "CAD"), "CHE": ("143459", "CHF"),
        "DEU": ("143443", "EUR"), "ESP": ("143454", "EUR"), "FRA": ("143442", "EUR"), "GBR": ("143444", "GBP"),
        "ITA": ("143450", "EUR"), "JPN": ("143462", "JPY"),
    ]
}
