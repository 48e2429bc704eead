/// Writes Prometheus' text format 0.0.4.
struct MetricsPage {
    private(set) var text = ""
    private var name = ""

    mutating func begin(_ name: String, _ type: String, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func add(_ labels: [(String, String)], _ value: Double) {
        line(name, labels, value)
    }

    mutating func add(_ histogram: Histogram, _ labels: [(String, String)]) {
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            line(name + "_bucket", labels + [("le", "\(bound)")], Double(total))
        }
        line(name + "_bucket", labels + [("le", "+Inf")], Double(histogram.count))
        line(name + "_sum", labels, histogram.sum)
        line(name + "_count", labels, Double(histogram.count))
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let list = labels.map { #"\#($0.0)="\#($0.1)""# }.joined(separator: ",")
        let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        text += list.isEmpty ? "\(name) \(number)\n" : "\(name){\(list)} \(number)\n"
    }
}
