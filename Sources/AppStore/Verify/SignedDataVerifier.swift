public import Entitlements
import Signatures

/// Decides whether a signed object is Apple's and for this app, in the steps of Apple's own libraries (signed-data.md
/// section 5) without their pitfalls: certificates are judged at the signing date, malformed and changed data are told
/// apart, an object of another kind is refused, and every object inside a notification is checked as well.
///
/// A value: safe to share, copies share the cache of proved chains.
public struct SignedDataVerifier: Sendable {
    /// Which instant the certificates must be valid at.
    public enum JudgingDate: Sendable {
        /// The payload's signing date, so that old data stays valid when Apple changes its leaf.
        case signed
        /// The clock's time, as Apple's libraries do with online checks on.
        case now
    }

    let roots: [TrustedRoot]
    let chains: ChainCache
    let takesDevelopmentData: Bool
    let limits = SignedDataLimits()

    /// A verifier.
    /// - Parameters:
    ///   - roots: the only roots that count.
    ///   - takesDevelopmentData: accepts data of Xcode and LocalTesting **without looking at its signature**, as Apple's
    ///     libraries do. Anybody can write such data: for a server on a developer's machine only (rules.md R5).
    ///   - chainCapacity: how many proved chains are kept; 0 proves each anew.
    public init(
        roots: [TrustedRoot] = TrustedRoot.apple, takesDevelopmentData: Bool = false, chainCapacity: Int = 64
    ) {
        self.roots = roots
        self.takesDevelopmentData = takesDevelopmentData
        chains = ChainCache(capacity: chainCapacity)
    }

    /// Judges one signed object. `now` is used where the payload has no signing date, and with `judging: .now`.
    public func verify(
        _ text: String, as kind: SignedDataKind, expecting identity: ExpectedIdentity, now: Milliseconds,
        judging: JudgingDate = .signed
    ) -> Verdict {
        let judgement = Judgement(verifier: self, identity: identity, now: now, judging: judging)
        do {
            return try .verified(judgement.check(text, kind, inside: nil))
        } catch {
            return .refused(error)
        }
    }

    /// Judges one signed object for an app.
    public func verify(
        _ text: String, as kind: SignedDataKind, for app: AppIdentity, now: Milliseconds
    ) -> Verdict {
        verify(text, as: kind, expecting: .app(app), now: now)
    }

    func chain(of jws: CompactJWS, headerHash: SHA256.Digest) throws(Refusal) -> ProvedChain {
        if let known = chains[headerHash] { return known }
        let chain = try ChainProof(roots: roots, limits: limits).prove(jws, headerHash: headerHash)
        chains.insert(chain)
        return chain
    }
}
