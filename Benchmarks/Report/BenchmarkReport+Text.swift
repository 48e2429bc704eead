public import Entitlements
import Foundation

extension BenchmarkReport {
    /// One JSON document.
    public var json: JSONValue {
        func figures(ofYardsticks: Bool) -> JSONValue {
            .array(
                self.figures.filter { $0.isYardstick == ofYardsticks }.map { figure in
                    ["name": .string(figure.name), "value": number(figure.value), "unit": .string(figure.unit)]
                })
        }
        let results: [JSONValue] = results.map { result in
            let goals: [JSONValue] = result.goals.map { goal in
                [
                    "stage": .string(goal.stage), goal.side.rawValue: number(goal.limit),
                    "isReached": .bool(goal.isReached(by: result.value)),
                ]
            }
            return [
                "name": .string(result.name), "value": number(result.value), "unit": .string(result.unit),
                "goals": .array(goals),
            ]
        }
        return [
            "benchmark": .string(name), "command": .string(command), "measuredAt": .string(Time.text(measuredAt)),
            "machine": machine.json, "figures": figures(ofYardsticks: false), "yardsticks": figures(ofYardsticks: true),
            "results": .array(results), "notes": .array(notes.map { .string($0) }),
        ]
    }

    private func number(_ value: Double) -> JSONValue {
        JSONNumber((value * 10_000).rounded() / 10_000).map(JSONValue.number) ?? .null
    }

    /// A section of docs/benchmarks.md.
    public var markdown: String {
        var lines = [
            "## `\(name)`", "", "`\(command)`, \(Time.text(measuredAt))", "",
            "| what | measured | goal |", "| --- | ---: | --- |",
        ]
        for figure in figures {
            let name = figure.isYardstick ? "*\(figure.name)*" : figure.name
            lines.append("| \(name) | \(Self.short(figure.value)) \(figure.unit) | |")
        }
        for result in results {
            let goals = result.goals.map { goal in
                "\(goal.stage) \(goal.side == .atLeast ? "≥" : "≤") \(Self.short(goal.limit)): "
                    + (goal.isReached(by: result.value) ? "reached" : "**not reached**")
            }
            lines.append(
                "| **\(result.name)** | **\(Self.short(result.value)) \(result.unit)** "
                    + "| \(goals.joined(separator: "; ")) |")
        }
        if !notes.isEmpty { lines += [""] + notes.map { "- \($0)" } }
        return lines.joined(separator: "\n")
    }

    /// For a terminal.
    public var text: String {
        let names = figures.map { ($0.isYardstick ? "  " : "") + $0.name } + results.map(\.name)
        let width = names.map(\.count).max() ?? 0
        func line(_ name: String, _ value: Double, _ unit: String) -> String {
            "  \(name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\(Self.short(value)) \(unit)"
        }
        var lines = ["\(name): \(machine.summary)"]
        lines += figures.map { line(($0.isYardstick ? "  " : "") + $0.name, $0.value, $0.unit) }
        lines += results.map { result in
            let goals = result.goals.map { goal in
                "\(goal.stage) goal \(goal.side == .atLeast ? "≥" : "≤") \(Self.short(goal.limit)): "
                    + (goal.isReached(by: result.value) ? "reached" : "NOT reached")
            }
            return line(result.name, result.value, result.unit)
                + (goals.isEmpty ? "" : "   (\(goals.joined(separator: "; ")))")
        }
        return (lines + notes.map { "  - \($0)" }).joined(separator: "\n")
    }

    /// Three significant digits, thousands with commas.
    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        if abs(value) < 100 {
            let digits = abs(value) < 1 ? 3 : abs(value) < 10 ? 2 : 1
            return String(format: "%.\(digits)f", value)
        }
        var text = String(Int64(value.rounded()))
        var index = text.count - 3
        while index > (value < 0 ? 1 : 0) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: index))
            index -= 3
        }
        return text
    }
}
