public import Entitlements

/// What `entitled derive` does, without the command line around it.
public struct CaseReplay: Sendable {
    /// A question about one account of each case, beside or instead of the case's own expectations.
    public enum Question: Sendable, Hashable {
        /// Check the expectations.
        case check
        /// Print the snapshot of an account.
        case snapshot(account: String)
        /// Draw the intervals of an account.
        case timeline(account: String)
        /// Print why an account's answer is what it is; with an entitlement only that one.
        case explain(account: String, entitlement: String?)
        /// Print what happened to an account.
        case history(account: String)
    }

    /// The case files.
    public var files: [String]
    /// What is asked.
    public var question: Question = .check
    /// The time of a snapshot or explanation, and "now" in a timeline; nil is the time of the last step.
    public var at: Milliseconds?
    /// With only what was received up to then.
    public var knownAt: Milliseconds?
    /// In which environment.
    public var environment: Environment = .production
    /// Another defaults file than the one beside each case.
    public var defaultsFile: String?
    /// Whether reports, explanations and histories are printed as JSON, one line a case.
    public var printsJSON = false
    /// How a timeline is drawn.
    public var style = TimelineStyle()

    /// A check of these files.
    public init(files: [String]) { self.files = files }

    /// Does it. `out` takes what was asked for, `complain` what is wrong with the files. Returns the exit code: 0 all as
    /// expected, 1 something differs, 2 a file or the question is wrong.
    public func run(out: (String) -> Void, complain: (String) -> Void) async -> Int32 {
        var exitCode: Int32 = 0
        do throws(DocumentError) {
            var loader = try CaseFileLoader(defaultsFile: defaultsFile)
            for file in files where !CaseFileLoader.isDefaults(file) {
                do {
                    let isOK = try await answer(try loader.load(file), out: out)
                    exitCode = max(exitCode, isOK ? 0 : 1)
                } catch {
                    complain("\(error)")
                    exitCode = 2
                }
            }
        } catch {
            complain(error.description)
            exitCode = 2
        }
        return exitCode
    }

    private func answer(_ file: CaseFile, out: (String) -> Void) async throws -> Bool {
        let report: CaseReport
        switch (file, question) {
        case (.client(let clientCase), .check): report = clientCase.run()
        case (.client, _):
            throw CaseReplayError("\(file.id) is a client case, which has no accounts; ask about a server case")
        case (.server(let serverCase), .check):
            var target = WorldTarget(serverCase)
            report = try await serverCase.run(on: &target)
        case (.server(let serverCase), .snapshot(let name)):
            out(try snapshot(of: name, in: serverCase))
            return true
        case (.server(let serverCase), .timeline(let name)):
            try timeline(of: name, in: serverCase).forEach(out)
            return true
        case (.server(let serverCase), .explain(let name, let entitlement)):
            out(try explanation(of: name, entitlement: entitlement, in: serverCase))
            return true
        case (.server(let serverCase), .history(let name)):
            out(try history(of: name, in: serverCase))
            return true
        }
        if printsJSON { out(report.json.text) } else { report.lines.forEach(out) }
        return report.isOK
    }

    private func account(_ name: String, in serverCase: ServerCase) throws -> AccountID {
        guard let account = serverCase.accounts[name] ?? AccountID(name) else {
            let names = serverCase.accounts.keys.sorted().joined(separator: ", ")
            throw CaseReplayError("\"\(name)\" is no account of \(serverCase.id); name one of \(names), or give a UUID")
        }
        return account
    }

    private func replayed(_ serverCase: ServerCase) -> (world: World, lastStep: Milliseconds) {
        var target = WorldTarget(serverCase)
        for step in serverCase.steps { _ = target.apply(step) }
        return (target.world, serverCase.steps.map(\.at).max() ?? 0)
    }

    private func snapshot(of name: String, in serverCase: ServerCase) throws -> String {
        let account = try account(name, in: serverCase)
        let (world, lastStep) = replayed(serverCase)
        let snapshot = world.snapshot(
            account: account, environment: environment, at: at ?? lastStep, knownAt: knownAt)
        return String(decoding: snapshot.json, as: UTF8.self)
    }

    private func explanation(of name: String, entitlement: String?, in serverCase: ServerCase) throws -> String {
        let account = try account(name, in: serverCase)
        let (world, lastStep) = replayed(serverCase)
        let explanation = world.explanation(
            account: account, environment: environment, at: at ?? lastStep, knownAt: knownAt)
        guard printsJSON else { return explanation.text(only: entitlement) }
        var writer = JSONWriter()
        explanation.write(to: &writer, only: entitlement)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func history(of name: String, in serverCase: ServerCase) throws -> String {
        let account = try account(name, in: serverCase)
        let history = replayed(serverCase).world.history(account: account, environment: environment)
        guard printsJSON else { return history.text }
        var writer = JSONWriter()
        history.write(to: &writer, for: .support)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func timeline(of name: String, in serverCase: ServerCase) throws -> [String] {
        let account = try account(name, in: serverCase)
        let (world, lastStep) = replayed(serverCase)
        let derivation = world.derivation(account: account, environment: environment, knownAt: knownAt)
        let title = "\(serverCase.id) \(serverCase.title): \(name) in \(environment)"
        return [title] + Timeline(derivation, now: at ?? lastStep, style: style).lines
    }
}

/// A question that a case cannot answer.
struct CaseReplayError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension CaseReport {
    /// `{"id":…,"ok":…,"differences":[…]}`.
    public var json: JSONValue {
        ["id": .string(id), "ok": .bool(isOK), "differences": .array(differences.map(JSONValue.string))]
    }
}
