import CaseFiles
import Entitlements
import Foundation
import Testing

/// A question about a worked case, answered with reasons.
struct ExplainedCase {
    let serverCase: ServerCase
    let target: WorldTarget

    /// Replays the worked case whose file begins with that name. Fails when the reference data is not at hand: without it
    /// nothing would be tested.
    init(_ name: String) throws {
        guard let file = WorkedCases.files.first(where: { $0.hasPrefix(name + "-") }) else {
            throw Missing(name: name)
        }
        var loader = try CaseFileLoader()
        guard case .server(let serverCase) = try loader.load(WorkedCases.path(file)) else { throw Missing(name: name) }
        var target = WorldTarget(serverCase)
        for step in serverCase.steps { _ = target.apply(step) }
        self.serverCase = serverCase
        self.target = target
    }

    struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "no worked case \(name) in \(WorkedCases.folder.path)" }
    }

    func explanation(_ account: String, at: String, knownAt: String? = nil) throws -> Explanation {
        let id = try #require(serverCase.accounts[account])
        let known = try knownAt.map { try #require(Time.instant($0)) }
        return target.world.explanation(
            account: id, environment: .production, at: try #require(Time.instant(at)), knownAt: known)
    }

    func history(_ account: String) throws -> History {
        target.world.history(account: try #require(serverCase.accounts[account]), environment: .production)
    }
}
