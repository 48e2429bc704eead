import Entitlements

/// Writes down what was done, one JSON object a line, so that it can be done again.
struct Recorder: Sendable {
    let write: @Sendable ([UInt8]) throws -> Void

    func note(_ act: Act, at time: Milliseconds) throws {
        try line(["at": .integer(time), "act": .object(act.json)])
    }

    func note(_ clock: StoreClock, at time: Milliseconds) throws {
        try line(["at": .integer(time), "speed": JSONNumber(clock.speed).map(JSONValue.number) ?? 0])
    }

    private func line(_ object: JSONObject) throws {
        try write(Array((JSONValue.object(object).text + "\n").utf8))
    }
}
