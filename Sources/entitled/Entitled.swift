import Foundation

/// Finds the command and turns what it throws into an exit status.
@main struct Entitled {
    private static let commands: [any Command.Type] = [
        Dev.self, Serve.self, Migrate.self, App.self, CatalogCommand.self, Account.self, Unclaimed.self, Audit.self,
        Token.self, Keys.self, Derive.self, Verify.self, BenchCommand.self,
    ]

    static func main() async {
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        exit(status.rawValue)
    }

    /// Nothing is released yet.
    private static let version = "0.1.0-dev"

    private static func run(_ words: [String]) async -> ExitStatus {
        guard let name = words.first, name != "--help", name != "-h", name != "help" else {
            print(overview)
            return words.isEmpty ? .usage : .done
        }
        if name == "--version" {
            print("entitled \(version)")
            return .done
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Console.error("there is no command \(name); `entitled --help` lists them")
            return .usage
        }
        var arguments = Arguments(Array(words.dropFirst()))
        if arguments.flag("--help") || arguments.flag("-h") {
            print(command.help)
            return .done
        }
        do {
            return try await command.init(&arguments).run()
        } catch let error as Arguments.UsageError {
            Console.error("\(error)\nTry: entitled \(name) --help")
            return .usage
        } catch {
            Console.error("\(error)")
            return .failed
        }
    }

    private static var overview: String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let lines = commands.map { command in
            "  \(command.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(command.summary)"
        }
        return """
            Usage: entitled COMMAND [options]

            \(lines.joined(separator: "\n"))

            Each command explains itself: entitled COMMAND --help. `entitled --version` says which release this is.
            """
    }
}
