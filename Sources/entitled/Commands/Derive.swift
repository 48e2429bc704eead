import CaseFiles
import Entitlements
import Foundation

/// `entitled derive`: replays case files in memory. No server, no database.
struct Derive: Command {
    static let name = "derive"
    static let summary = "replay case files in memory and compare, or show what follows from one"
    static let help = """
        Usage: entitled derive --case FILE… [options]

        Replays server and client cases through the same rules as the service and prints `ok ID`, or what differs from
        what the case expects. A file named defaults.json among them is no case and is passed over.

          --snapshot ACCOUNT   print the account's snapshot after the case instead (a name of the case, or a UUID)
          --timeline ACCOUNT   draw the account's access instead
          --explain ACCOUNT    say why the account has what it has, and why not the rest
          --entitlement E      explain this entitlement only
          --history ACCOUNT    list what happened to the account
          --at T               the time asked about (default: that of the last step): 2026-06-01T10:00:00.000Z or ms
          --known-at T         with only what was received up to then
          --environment E      Production (default), Sandbox, Xcode or LocalTesting
          --defaults FILE      catalog and accounts for cases that say none (default: defaults.json beside the case)
          --json               one JSON object per case: {"id":…,"ok":…,"differences":[…]}; explanations and histories
                               as JSON, too

        Exit status: 0 all as expected, 1 something differs, 2 wrong usage or a file whose form is wrong.

        Example: entitled derive --case cases/*.json
                 entitled derive --case cases/C12.json --timeline A1 --at 2026-06-15T00:00:00Z
                 entitled derive --case cases/C12.json --explain A1 --entitlement pro
        """

    private let replay: CaseReplay

    init(_ arguments: inout Arguments) throws {
        let snapshot = try arguments.option("--snapshot")
        let timeline = try arguments.option("--timeline")
        let explain = try arguments.option("--explain")
        let entitlement = try arguments.option("--entitlement")
        let history = try arguments.option("--history")
        guard [snapshot, timeline, explain, history].count(where: { $0 != nil }) < 2 else {
            throw Arguments.UsageError("ask for one of --snapshot, --timeline, --explain and --history")
        }
        guard entitlement == nil || explain != nil else {
            throw Arguments.UsageError("--entitlement goes with --explain")
        }
        let at = try arguments.instant("--at")
        let knownAt = try arguments.instant("--known-at")
        let environment = try arguments.choice("--environment", Environment.known.map { ($0.rawValue, $0) })
        let defaultsFile = try arguments.option("--defaults")
        let printsJSON = arguments.flag("--json")
        let cases = try arguments.options("--case")
        var replay = CaseReplay(files: cases + (try arguments.rest()))
        guard !cases.isEmpty else { throw Arguments.UsageError("name the case files: --case FILE…") }
        if let snapshot { replay.question = .snapshot(account: snapshot) }
        if let timeline { replay.question = .timeline(account: timeline) }
        if let explain { replay.question = .explain(account: explain, entitlement: entitlement) }
        if let history { replay.question = .history(account: history) }
        if replay.question == .check, at != nil || knownAt != nil || environment != nil {
            throw Arguments.UsageError(
                "--at, --known-at and --environment go with --snapshot, --timeline, --explain or --history")
        }
        replay.at = at
        replay.knownAt = knownAt
        replay.environment = environment ?? .production
        replay.defaultsFile = defaultsFile
        replay.printsJSON = printsJSON
        replay.style = Self.style
        self.replay = replay
    }

    func run() async throws -> ExitStatus {
        let code = await replay.run(out: { print($0) }, complain: { Console.error($0) })
        return ExitStatus(rawValue: code) ?? .failed
    }

    /// What the terminal can show.
    private static var style: TimelineStyle {
        let variables = ProcessInfo.processInfo.environment
        let locale = variables["LC_ALL"] ?? variables["LC_CTYPE"] ?? variables["LANG"] ?? ""
        var style = TimelineStyle()
        if let columns = variables["COLUMNS"].flatMap({ Int($0) }) { style.width = min(max(columns, 40), 1000) }
        style.isUnicode = locale.uppercased().contains("UTF")
        style.hasColour = isatty(STDOUT_FILENO) == 1 && variables["NO_COLOR"] == nil
        return style
    }
}
