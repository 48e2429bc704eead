public import Entitlements

/// What a benchmark measured: figures, ratios to the yardsticks of the same run, and the goals.
public struct BenchmarkReport: Sendable {
    /// A measured number.
    public struct Figure: Sendable {
        /// What was measured.
        public let name: String
        /// How much.
        public let value: Double
        /// In what.
        public let unit: String
        /// Whether it is of a yardstick, not of Entitled.
        public let isYardstick: Bool
    }

    /// A goal for a figure or a ratio.
    public struct Goal: Sendable {
        /// Which side of the limit is good.
        public enum Side: String, Sendable {
            /// At least the limit.
            case atLeast
            /// At most the limit.
            case atMost
        }

        /// Where it is from: `first` for the first stage, `full` for the finished service.
        public let stage: String
        /// Which side is good.
        public let side: Side
        /// The limit.
        public let limit: Double

        /// Whether a value reaches it.
        public func isReached(by value: Double) -> Bool {
            side == .atLeast ? value >= limit : value <= limit
        }
    }

    /// A number that is compared with goals.
    public struct Result: Sendable {
        /// What it says.
        public let name: String
        /// The number.
        public let value: Double
        /// In what; `×` for a ratio.
        public let unit: String
        /// What it should be; empty if nothing was promised.
        public let goals: [Goal]
    }

    /// Which benchmark.
    public let name: String
    /// As typed.
    public let command: String
    /// The machine and the versions of what ran.
    public let machine: Machine
    /// When it ended.
    public var measuredAt: Milliseconds = 0
    /// All that was measured.
    public private(set) var figures: [Figure] = []
    /// The numbers that count.
    public private(set) var results: [Result] = []
    /// What a reader must know: how something was measured, or why it was not.
    public private(set) var notes: [String] = []

    init(name: String, command: String, machine: Machine) {
        self.name = name
        self.command = command
        self.machine = machine
    }

    mutating func measured(_ name: String, _ value: Double, _ unit: String) {
        figures.append(Figure(name: name, value: value, unit: unit, isYardstick: false))
    }

    mutating func yardstick(_ name: String, _ value: Double, _ unit: String) {
        figures.append(Figure(name: name, value: value, unit: unit, isYardstick: true))
    }

    mutating func result(_ name: String, _ value: Double, _ unit: String = "×", _ goals: Goal...) {
        results.append(Result(name: name, value: value, unit: unit, goals: goals))
    }

    mutating func note(_ text: String) { notes.append(text) }
}
