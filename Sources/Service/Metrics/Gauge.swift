/// A number read at the moment of asking.
struct Gauge: Sendable {
    let name: String
    let help: String
    let value: Double
    /// Whether it only grows.
    var isCounter = false
}
