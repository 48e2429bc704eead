/// How many values were within each bound.
struct Histogram: Sendable {
    /// Upper bounds, ascending.
    let bounds: [Double]
    private(set) var counts: [Int]
    private(set) var count = 0
    private(set) var sum = 0.0

    /// Seconds that a request takes, held polls among them.
    static let requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 240]

    init(bounds: [Double] = requestBounds) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count)
    }

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        if let index = bounds.firstIndex(where: { value <= $0 }) { counts[index] += 1 }
    }
}
