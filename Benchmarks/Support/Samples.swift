/// Measurements of one thing, taken in turn with those of another.
struct Samples {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    /// The median: what one disturbance cannot move. Not a number if there are none.
    var median: Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// What so many percent of them do not exceed.
    func percentile(_ percent: Int) -> Double {
        guard !values.isEmpty else { return .nan }
        return values.sorted()[min(values.count - 1, values.count * percent / 100)]
    }

    /// The ratios of what was measured in the same turn.
    func over(_ other: Samples) -> Samples {
        Samples(values: zip(values, other.values).map { $0 / $1 })
    }

    init(values: [Double] = []) { self.values = values }
}
