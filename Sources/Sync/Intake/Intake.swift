public import AppStore
public import Entitlements
public import EventLog
import Signatures

/// What became of one signed transaction of a push.
public struct PushResult: Sendable {
    /// The transaction, if it could be read.
    public var transactionId: String?
    /// What became of it.
    public var outcome: PushOutcome

    /// What became of a signed object.
    public enum PushOutcome: Sendable {
        /// Verified and decided.
        case decided(Outcome)
        /// Not Apple's, not this app's, or damaged.
        case refused(Refusal)
    }
}

/// Verifies what arrives and makes commands of it. One for a process; verification runs where it is called, on a loop.
public struct Intake: Sendable {
    private let verifier: SignedDataVerifier
    private let chains: ChainDirectory
    private let clock: any Clock

    /// An intake. `chains` keeps certificates by number.
    public init(verifier: SignedDataVerifier, chains: ChainDirectory, clock: any Clock) {
        self.verifier = verifier
        self.chains = chains
        self.clock = clock
    }

    /// The verified objects of a push, ready to be decided, and the results of those that are not.
    public struct PreparedPush: Sendable {
        /// Items in the order of the request: transactions first.
        public var items: [Command.Item] = []
        /// For each signed transaction of the request: its place among `items`, or why it has none.
        public var transactions: [Prepared] = []
        /// The same for renewal infos.
        public var renewalInfos: [Prepared] = []

        /// An object of the request.
        public enum Prepared: Sendable {
            case item(Int, transactionId: String?)
            case refused(Refusal)
            case rejected(Rejection, transactionId: String?)
        }

        /// The results, once the items are decided.
        public func results(_ outcomes: [Outcome]) -> [PushResult] { Self.results(transactions, outcomes) }
        /// The same for renewal infos.
        public func renewalResults(_ outcomes: [Outcome]) -> [PushResult] { Self.results(renewalInfos, outcomes) }

        private static func results(_ prepared: [Prepared], _ outcomes: [Outcome]) -> [PushResult] {
            prepared.map { object in
                switch object {
                case .item(let index, let id): PushResult(transactionId: id, outcome: .decided(outcomes[index]))
                case .refused(let refusal): PushResult(transactionId: nil, outcome: .refused(refusal))
                case .rejected(let reason, let id):
                    PushResult(transactionId: id, outcome: .decided(.rejected(reason)))
                }
            }
        }
    }

    /// Verifies a push. Throws only when certificates cannot be kept (`EventLogError`, `PostgresError`).
    public func prepare(
        transactions: [String], renewalInfos: [String], app: ServedApp
    ) async throws -> PreparedPush {
        var push = PreparedPush()
        for text in transactions {
            switch verifier.verify(text, as: .transaction, for: app.identity, now: clock.now()) {
            case .refused(let refusal): push.transactions.append(.refused(refusal))
            case .verified(let data):
                let id = data.object["transactionId"]?.stringValue
                let evidence = try await evidence(of: data)
                do throws(Rejection) {
                    let admitted = try app.terms.admit(transaction: data.object, evidence: evidence)
                    push.transactions.append(.item(push.items.count, transactionId: id))
                    push.items.append(.transaction(admitted))
                } catch {
                    push.transactions.append(.rejected(error, transactionId: id))
                }
            }
        }
        for text in renewalInfos {
            switch verifier.verify(text, as: .renewalInfo, for: app.identity, now: clock.now()) {
            case .refused(let refusal): push.renewalInfos.append(.refused(refusal))
            case .verified(let data):
                let evidence = try await evidence(of: data)
                do throws(Rejection) {
                    let admitted = try app.terms.admit(renewalInfo: data.object, evidence: evidence)
                    push.renewalInfos.append(
                        .item(push.items.count, transactionId: admitted.renewalInfo.originalTransactionId))
                    push.items.append(.renewalInfo(admitted))
                } catch {
                    push.renewalInfos.append(.rejected(error, transactionId: nil))
                }
            }
        }
        return push
    }

    /// A notification that was judged.
    public enum PreparedNotification: Sendable {
        case admitted(AdmittedNotification)
        case refused(Refusal)
        case rejected(Rejection)
    }

    /// Verifies a notification, what is inside it included.
    public func prepare(signedPayload: String, app: ServedApp) async throws -> PreparedNotification {
        switch verifier.verify(signedPayload, as: .notification, for: app.identity, now: clock.now()) {
        case .refused(let refusal): return .refused(refusal)
        case .verified(let data):
            let evidence = try await evidence(of: data)
            do throws(Rejection) {
                return .admitted(
                    try app.terms.admit(
                        notification: data.object, transaction: data.inner(.transaction)?.object,
                        renewalInfo: data.inner(.renewalInfo)?.object, evidence: evidence))
            } catch {
                return .rejected(error)
            }
        }
    }

    /// The bytes to keep. Certificates are stored first, once each.
    private func evidence(of data: VerifiedData) async throws -> Evidence {
        let stored = StoredJWS(data)
        let now = clock.now()
        let chain = try await chains.id(of: data.headerHash, header: Array(data.jws.headerText), at: now)
        for inner in data.inner {
            _ = try await chains.id(of: inner.headerHash, header: Array(inner.jws.headerText), at: now)
        }
        var verdict: JSONObject = ["judgedAt": .integer(data.judgedAt), "verifier": 1]
        if let path = data.path { verdict["root"] = .string(path.root.fingerprint.description) }
        return Evidence(payload: stored.payload, signature: stored.signature, chain: chain, verdict: verdict)
    }
}
