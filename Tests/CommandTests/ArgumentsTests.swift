import Testing

@testable import entitled

@Suite struct ArgumentsTests {
    @Test func optionsInEitherForm() throws {
        var arguments = Arguments(["one", "--name", "a", "--flag", "--number=7", "two"])
        let name = try arguments.option("--name")
        let number = try arguments.integer("--number")
        let flags = [arguments.flag("--flag"), arguments.flag("--other")]
        let rest = try arguments.rest()
        #expect(name == "a" && number == 7)
        #expect(flags == [true, false])
        #expect(rest == ["one", "two"])
        try arguments.finish()
    }

    @Test func repeatedOptions() throws {
        var arguments = Arguments(["--root", "a", "--root=b"])
        let roots = try arguments.options("--root")
        #expect(roots == ["a", "b"])
    }

    @Test func wordsBehindTwoDashesAreNoOptions() throws {
        var arguments = Arguments(["-", "--", "--json", "-x"])
        let flag = arguments.flag("--json")
        let rest = try arguments.rest()
        #expect(!flag)
        #expect(rest == ["-", "--json", "-x"])
    }

    @Test(arguments: [["--unknown"], ["-x"], ["extra"]]) func leftOvers(words: [String]) {
        expectUsageError(words) { try $0.finish() }
    }

    @Test func wrongValues() {
        expectUsageError(["--number", "seven"]) { _ = try $0.integer("--number") }
        expectUsageError(["--size", "huge"]) { _ = try $0.choice("--size", [("small", 1), ("large", 2)]) }
        expectUsageError(["--name"]) { _ = try $0.option("--name") }
        expectUsageError(["--name", "a", "--name", "b"]) { _ = try $0.option("--name") }
    }

    private func expectUsageError(_ words: [String], _ body: (inout Arguments) throws -> Void) {
        #expect(throws: Arguments.UsageError.self) {
            var arguments = Arguments(words)
            try body(&arguments)
        }
    }
}
