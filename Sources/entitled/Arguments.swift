import Entitlements

/// The arguments of a command, taken out one by one; what is left over at the end is wrong usage.
struct Arguments {
    /// What the person typed cannot be understood: exit 2.
    struct UsageError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    private var words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// Whether the flag is there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = optionIndex(name), words[index] == name else { return false }
        words.remove(at: index)
        return true
    }

    /// The values of an option that may repeat, written `--name value` or `--name=value`.
    mutating func options(_ name: String) throws(UsageError) -> [String] {
        var values: [String] = []
        while let index = optionIndex(name) {
            let word = words.remove(at: index)
            if word.hasPrefix(name + "=") {
                values.append(String(word.dropFirst(name.count + 1)))
            } else if index < words.count {
                values.append(words.remove(at: index))
            } else {
                throw UsageError("\(name) needs a value")
            }
        }
        return values
    }

    /// The value of an option; nil when it is not there.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        let values = try options(name)
        guard values.count <= 1 else { throw UsageError("\(name) was given \(values.count) times") }
        return values.first
    }

    /// The value of an option that is a number.
    mutating func integer(_ name: String) throws(UsageError) -> Int64? {
        guard let text = try option(name) else { return nil }
        guard let value = Int64(text) else { throw UsageError("\(name) must be a whole number, not \(text)") }
        return value
    }

    /// The value of an option that is an instant, in ISO 8601 or milliseconds.
    mutating func instant(_ name: String) throws(UsageError) -> Milliseconds? {
        guard let text = try option(name) else { return nil }
        return try Self.instant(text, name)
    }

    /// The instant that the text of an option says.
    static func instant(_ text: String, _ name: String) throws(UsageError) -> Milliseconds {
        guard let instant = Milliseconds(digits: text) ?? Time.instant(text), (0...Time.latest).contains(instant)
        else {
            throw UsageError("\(name) must be an instant like 2026-06-01T10:00:00.000Z or milliseconds, not \(text)")
        }
        return instant
    }

    /// The value of an option that is one of a few words.
    mutating func choice<Choice>(_ name: String, _ choices: [(String, Choice)]) throws(UsageError) -> Choice? {
        guard let text = try option(name) else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            throw UsageError("\(name) must be one of \(choices.map(\.0).joined(separator: ", ")), not \(text)")
        }
        return choice.1
    }

    /// Everything that is no option, taken last. A word of dashes that nobody asked for is reported.
    mutating func rest() throws(UsageError) -> [String] {
        var rest: [String] = []
        while !words.isEmpty {
            let word = words.removeFirst()
            if word == "--" { return rest + words }
            guard word == "-" || !word.hasPrefix("-") else { throw UsageError("unknown option \(word)") }
            rest.append(word)
        }
        return rest
    }

    /// Reports words that the command has no use for.
    mutating func finish() throws(UsageError) {
        if let word = try rest().first { throw UsageError("unexpected argument \(word)") }
    }

    private func optionIndex(_ name: String) -> Int? {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].firstIndex { $0 == name || $0.hasPrefix(name + "=") }
    }
}
