import Entitlements
import Signatures

/// One question to the verifier, carried through the object and those inside it.
struct Judgement {
    /// What an inner object takes from the notification around it where it says nothing itself (rules.md R0).
    struct Surroundings {
        let judgedAt: Milliseconds
        let environment: Environment?
        let bundleId: String?
    }

    let verifier: SignedDataVerifier
    let identity: ExpectedIdentity
    let now: Milliseconds
    let judging: SignedDataVerifier.JudgingDate

    func check(
        _ text: String, _ kind: SignedDataKind, inside outer: Surroundings?
    ) throws(Refusal) -> VerifiedData {
        let opened = try OpenedJWS(text, limits: verifier.limits)
        let claims = Claims(kind, opened.object)
        let environment = claims.environment ?? outer?.environment
        let judgedAt = date(kind, opened.object, claims, outer)
        let headerHash = SHA256.hash(opened.jws.headerText)
        let signature = try decodedSignature(opened.jws)

        var path: CertificatePath?
        if !isUnsignedDevelopmentData(environment) {
            let chain = try verifier.chain(of: opened.jws, headerHash: headerHash)
            try checkRoot(chain, environment)
            try checkValidity(chain, at: judgedAt)
            guard chain.leafKey.isValid(signature: signature, for: opened.jws.signingInput) else {
                throw Refusal(
                    .signature, .signatureMismatch,
                    "the leaf's key did not sign this: header, payload or signature has been changed")
            }
            path = chain.path
        }

        try checkKind(kind, opened.object)
        try checkIdentity(kind, opened.object, claims, environment)
        try outer.map { (outer) throws(Refusal) in try checkAgreement(claims, outer) }
        let surroundings = Surroundings(judgedAt: judgedAt, environment: environment, bundleId: claims.bundleId)
        return VerifiedData(
            kind: kind, jws: opened.jws, payload: opened.payload, object: opened.object, signature: signature,
            headerHash: headerHash, path: path, signedDate: claims.signedDate, judgedAt: judgedAt,
            environment: environment, bundleId: claims.bundleId,
            inner: kind == .notification ? try innerObjects(opened.object, surroundings) : [])
    }

    private func decodedSignature(_ jws: CompactJWS) throws(Refusal) -> [UInt8] {
        let signature: [UInt8]
        do { signature = try jws.signature() } catch { throw Refusal(.format, .notBase64URL, error.message) }
        guard signature.count == 64 else {
            throw Refusal(
                .format, .signatureLength,
                "the signature is \(signature.count) bytes, ES256 makes 64: cut off or padded")
        }
        return signature
    }

    private func isUnsignedDevelopmentData(_ environment: Environment?) -> Bool {
        guard verifier.takesDevelopmentData, let environment, environment.isDevelopmentOnly else { return false }
        return identity.environments?.contains(environment) ?? true
    }

    // MARK: Dates

    /// The signing date; safe to go by, since it is inside what was signed. A genuine notification of 2022 has none, only
    /// its inner objects do (notifications.md section 5).
    private func date(
        _ kind: SignedDataKind, _ payload: JSONObject, _ claims: Claims, _ outer: Surroundings?
    ) -> Milliseconds {
        guard judging == .signed else { return now }
        if let date = claims.signedDate { return date }
        let innerDates = kind == .notification ? innerSignedDates(payload) : []
        return innerDates.max() ?? outer?.judgedAt ?? now
    }

    private func innerSignedDates(_ payload: JSONObject) -> [Milliseconds] {
        InnerObject.all(in: payload).compactMap { inner in
            guard let text = inner.value.stringValue, let opened = try? OpenedJWS(text, limits: verifier.limits) else {
                return nil
            }
            return Claims(inner.kind, opened.object).signedDate
        }
    }

    private func checkValidity(_ chain: ProvedChain, at instant: Milliseconds) throws(Refusal) {
        guard let (position, certificate) = chain.path.firstInvalid(at: instant) else { return }
        let isExpired = instant >= certificate.notAfter
        throw Refusal(
            .validity, isExpired ? .expired : .notYetValid, certificate: position,
            "the \(position) certificate is \(isExpired ? "no longer" : "not yet") valid at \(Timestamp.text(instant)), "
                + "only from \(Timestamp.text(certificate.notBefore)) to \(Timestamp.text(certificate.notAfter))")
    }

    private func checkRoot(_ chain: ProvedChain, _ environment: Environment?) throws(Refusal) {
        guard let environment else { return }
        let mayVouch = verifier.roots.contains {
            $0.certificate == chain.path.root && $0.environments.contains(environment)
        }
        guard mayVouch else {
            throw Refusal(
                .chain, .rootNotForEnvironment, certificate: .root, field: "environment",
                "the root is not trusted for the environment \(environment)")
        }
    }

    // MARK: Inner objects

    private func innerObjects(
        _ payload: JSONObject, _ surroundings: Surroundings
    ) throws(Refusal) -> [VerifiedData] {
        var verified: [VerifiedData] = []
        for inner in InnerObject.all(in: payload) {
            do throws(Refusal) {
                guard let text = inner.value.stringValue else {
                    throw Refusal(
                        .payload, .fieldType, field: inner.name,
                        "\(inner.name) is \(inner.value.kindName), it must be a string")
                }
                verified.append(try check(text, inner.kind, inside: surroundings))
            } catch {
                var refusal = error
                refusal.inner = inner.name
                throw refusal
            }
        }
        return verified
    }
}
