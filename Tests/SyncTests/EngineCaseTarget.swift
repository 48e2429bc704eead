import AppStore
import AppStoreSimulator
import CaseFiles
import Entitlements
import EventLog
import Sync

/// Replays a case on the real log, with signed data: everything but HTTP.
struct EngineCaseTarget: CaseTarget {
    let fixture: EngineFixture
    private var grants: [String: StreamRef] = [:]

    init(_ fixture: EngineFixture) { self.fixture = fixture }

    private var engine: SyncEngine { fixture.engine }
    private var app: ServedApp { fixture.app }

    mutating func apply(_ step: CaseStep) async throws -> [String] {
        fixture.clock.set(step.at)
        switch step.action {
        case .notification(let payload):
            switch try await engine.notify(signedPayload: try Self.sign(payload), app: app) {
            case .decided(let outcome): return [outcome.description]
            case .refused(let refusal): return ["rejected:\(refusal.code)"]
            }
        case .push(let account, let transactions, let renewalInfos):
            return try await push(account, transactions, renewalInfos, isRestore: false)
        case .restore(let account, let transactions, let renewalInfos):
            return try await push(account, transactions, renewalInfos, isRestore: true)
        case .spend(let account, let environment, let spend):
            return try await run(.spend(.account(environment, account.id), spend))
        case .grant(let account, let environment, let id, let entitlement, let from, let until):
            let stream = StreamRef.account(environment, account.id)
            grants[id] = stream
            return try await run(
                .grant(stream, Grant(id: id, entitlement: entitlement, from: from ?? step.at, until: until)))
        case .revokeGrant(let id):
            guard let stream = grants[id] else { return ["unknownGrant"] }
            return try await run(.revokeGrant(stream, id: id))
        case .known(let account):
            try await engine.authenticated(account.id, app: app)
            return ["ok"]
        case .erase(let account):
            _ = try await engine.erase(account.id, app: app)
            return ["ok"]
        }
    }

    private func run(_ command: Command) async throws -> [String] {
        try await engine.run(command, app: app).map {
            $0 == .recorded || $0 == .duplicate ? "ok" : $0.description
        }
    }

    private func push(
        _ account: CaseAccount, _ transactions: [JSONObject], _ renewalInfos: [JSONObject], isRestore: Bool
    ) async throws -> [String] {
        let answer = try await engine.push(
            transactions: try transactions.map { try authority.sign($0) },
            renewalInfos: try renewalInfos.map { try authority.sign($0) }, account: account.id, app: app,
            isRestore: isRestore)
        return answer.transactions.map { result in
            switch result.outcome {
            case .decided(let outcome): outcome.description
            case .refused(let refusal): "rejected:\(refusal.code)"
            }
        }
    }

    /// Signs the decoded objects inside, then the envelope.
    private static func sign(_ payload: JSONObject) throws -> String {
        var payload = payload
        if var data = payload["data"]?.objectValue {
            for (decoded, signed) in [
                ("transaction", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo"),
            ] {
                guard let object = data[decoded]?.objectValue else { continue }
                data[decoded] = nil
                data[signed] = .string(try authority.sign(object))
            }
            payload["data"] = .object(data)
        }
        return try authority.sign(payload)
    }

    mutating func snapshot(
        account: AccountID, environment: Environment, at: Milliseconds, knownAt: Milliseconds?
    ) async throws -> JSONObject {
        let snapshot = try await engine.snapshot(
            of: account, environment: environment, app: app, at: at, knownAt: knownAt)
        return try JSONValue(parsing: snapshot.json, limits: .file).objectValue ?? JSONObject()
    }

    mutating func unclaimed(environment: Environment, knownAt: Milliseconds?) async throws -> [String] {
        try await engine.unclaimed(environment: environment, app: app, limit: 1000)
    }
}
