public import Entitlements
import Signatures

/// A verdict with everything that can be read in the object, for people and for machines: `entitled verify`.
public struct VerificationReport: Sendable {
    /// How one check went.
    public enum Outcome: String, Sendable {
        /// It holds.
        case passed
        /// It does not hold.
        case failed
        /// An earlier check failed.
        case notReached
        /// Nothing was given to compare with, or this kind of object has nothing to compare.
        case notCompared
        /// Left out for data of Xcode in development mode.
        case skipped
    }

    /// What it was taken for.
    public let kind: SignedDataKind
    /// The verdict.
    public let verdict: Verdict
    /// The field of the notification that holds it; nil for the outermost object.
    public let field: String?
    let contents: UnverifiedContents
    let expected: ExpectedIdentity

    /// Verifies the text and reports. Without a kind it is taken for what it seems to be.
    public init(
        _ text: String, as kind: SignedDataKind?, by verifier: SignedDataVerifier, expecting expected: ExpectedIdentity,
        now: Milliseconds, judging: SignedDataVerifier.JudgingDate = .signed
    ) {
        let contents = UnverifiedContents(text)
        let kind = kind ?? contents.kind ?? .transaction
        self.init(
            kind: kind,
            verdict: verifier.verify(text, as: kind, expecting: expected, now: now, judging: judging),
            field: nil, contents: contents, expected: expected)
    }

    private init(
        kind: SignedDataKind, verdict: Verdict, field: String?, contents: UnverifiedContents, expected: ExpectedIdentity
    ) {
        self.kind = kind
        self.verdict = verdict
        self.field = field
        self.contents = contents
        self.expected = expected
    }

    /// Whether the object was verified, with all inside it.
    public var isVerified: Bool { verdict.verified != nil }

    /// Every check with its outcome, in the order they are made. Those of an inner object that failed are in its own
    /// report.
    public var checks: [(check: Refusal.Check, outcome: Outcome)] {
        let failed = verdict.refusal.flatMap { $0.inner == nil ? $0.check : nil }
        var hasFailed = false
        return Refusal.Check.allCases.map { check in
            if hasFailed { return (check, .notReached) }
            if check == failed {
                hasFailed = true
                return (check, .failed)
            }
            return (check, passedOutcome(check))
        }
    }

    private func passedOutcome(_ check: Refusal.Check) -> Outcome {
        switch check {
        case .header, .algorithm, .chainLength, .certificate, .chain, .validity, .signature:
            if let data = verdict.verified, data.path == nil { .skipped } else { .passed }
        case .bundleId:
            expected.bundleId == nil || kind == .renewalInfo ? .notCompared : .passed
        case .appAppleId:
            verdict.verified?.environment == .production && expected.appAppleId != nil && kind.namesAppAppleId
                ? .passed : .notCompared
        case .environment:
            expected.environments == nil ? .notCompared : .passed
        case .format, .payload, .kind:
            .passed
        }
    }

    /// The objects inside a notification.
    public var inner: [VerificationReport] {
        guard let payload = contents.payload, kind == .notification else { return [] }
        return InnerObject.all(in: payload).compactMap { inner in
            guard let text = inner.value.stringValue, let verdict = verdict(of: inner) else { return nil }
            return VerificationReport(
                kind: inner.kind, verdict: verdict, field: inner.name, contents: UnverifiedContents(text),
                expected: expected)
        }
    }

    /// An inner object has a verdict only when it was come to.
    private func verdict(of inner: InnerObject) -> Verdict? {
        switch verdict {
        case .verified(let data):
            return data.inner(inner.kind).map(Verdict.verified)
        case .refused(var refusal):
            guard refusal.inner == inner.name else { return nil }
            refusal.inner = nil
            return .refused(refusal)
        }
    }
}

extension SignedDataKind {
    /// Whether objects of this kind name the app's number.
    var namesAppAppleId: Bool { self == .notification || self == .appTransaction }
}
