import Entitlements
import Signatures

/// Proves the chain in a header: steps 3 to 5 of signed-data.md section 5.
struct ChainProof {
    let roots: [TrustedRoot]
    let limits: SignedDataLimits

    /// Extensions that Apple's certificates for signed data carry; only their presence is asked.
    enum Marker {
        static let leaf = "1.2.840.113635.100.6.11.1"
        static let intermediate = "1.2.840.113635.100.6.2.1"
    }

    func prove(_ jws: CompactJWS, headerHash: SHA256.Digest) throws(Refusal) -> ProvedChain {
        let header = try header(of: jws)
        try refuseExtensions(header)
        let texts = try chainTexts(in: header)
        guard texts.count == 3 else {
            throw Refusal(
                .chainLength, .chainLength, field: "x5c",
                "x5c holds \(texts.count) certificates, Apple's holds 3"
                    + (texts.count == 1 ? ": data signed by Xcode is taken in development mode only" : ""))
        }
        // The third is what the sender calls a root: ignored, only roots trusted beforehand count.
        let leaf = try certificate(texts[0], .leaf)
        let intermediate = try certificate(texts[1], .intermediate)
        let path = try path(leaf, intermediate)
        try require(Marker.leaf, on: leaf, .leaf)
        try require(Marker.intermediate, on: intermediate, .intermediate)
        guard let key = try? leaf.publicKey(), key.curve == .p256 else {
            throw Refusal(
                .chain, .leafKeyNotP256, certificate: .leaf, "the leaf's key is not on P-256, which ES256 needs")
        }
        return ProvedChain(headerHash: headerHash, path: path, leafKey: key)
    }

    private func header(of jws: CompactJWS) throws(Refusal) -> JSONObject {
        guard jws.headerText.count <= limits.headerBytes else {
            throw Refusal(.header, .tooLong, "the header is longer than \(limits.headerBytes) bytes")
        }
        let bytes: [UInt8]
        do { bytes = try jws.header() } catch { throw Refusal(.header, .notBase64URL, error.message) }
        return try OpenedJWS.object(bytes, check: .header, part: "header", limits: limits)
    }

    /// RFC 7515 section 4.1.11: a verifier that does not understand what `crit` names must refuse; RFC 7797: `b64` false
    /// changes what was signed. Apple writes neither.
    private func refuseExtensions(_ header: JSONObject) throws(Refusal) {
        if header["crit"] != nil {
            throw Refusal(
                .header, .headerExtension, field: "crit",
                "the header asks for extensions (crit) that are not known here")
        }
        guard header["b64"].map({ $0 == true }) ?? true else {
            throw Refusal(.header, .headerExtension, field: "b64", "the header says that the payload is not base64url")
        }
    }

    private func chainTexts(in header: JSONObject) throws(Refusal) -> [String] {
        guard let chain = header["x5c"], chain != .null else {
            throw Refusal(.header, .chainMissing, field: "x5c", "the header carries no certificates (x5c)")
        }
        guard let texts = chain.arrayValue?.map(\.stringValue) else {
            throw Refusal(.header, .fieldType, field: "x5c", "x5c is \(chain.kindName), it must be an array of strings")
        }
        let strings = texts.compactMap { $0 }
        guard strings.count == texts.count else {
            throw Refusal(.header, .fieldType, field: "x5c", "x5c holds something that is not a string")
        }
        let algorithm = header["alg"]?.stringValue
        guard algorithm == "ES256" else {
            throw Refusal(
                .algorithm, .algorithmNotES256, field: "alg",
                "the header's alg is \(algorithm ?? "missing"), Apple signs with ES256 only")
        }
        return strings
    }

    private func certificate(_ text: String, _ position: CertificatePath.Position) throws(Refusal) -> Certificate {
        guard text.utf8.count <= limits.certificateBytes else {
            throw Refusal(
                .certificate, .tooLong, certificate: position, field: "x5c",
                "the \(position) certificate is longer than \(limits.certificateBytes) bytes of base64")
        }
        guard let der = Base64.decode(text.utf8) else {
            throw Refusal(
                .certificate, .certificateNotBase64, certificate: position, field: "x5c",
                "the \(position) certificate is not base64")
        }
        do { return try Certificate(der: der) } catch {
            throw Refusal(
                .certificate, .certificateNotDER, certificate: position, field: "x5c",
                "the \(position) certificate cannot be read: \(error.message)")
        }
    }

    private func path(_ leaf: Certificate, _ intermediate: Certificate) throws(Refusal) -> CertificatePath {
        do {
            return try CertificatePath(
                leaf: leaf, intermediate: intermediate, trustedRoots: roots.map(\.certificate))
        } catch {
            throw Refusal(
                .chain, .noTrustedPath, certificate: error.position,
                "no path from the leaf to a trusted root; stopped at the \(error.position): \(error.reason)")
        }
    }

    private func require(
        _ marker: String, on certificate: Certificate, _ position: CertificatePath.Position
    ) throws(Refusal) {
        guard certificate.hasExtension(marker) else {
            throw Refusal(
                .chain, .markerMissing, certificate: position, field: marker,
                "the \(position) certificate lacks Apple's extension \(marker): it was not issued for signed data")
        }
    }
}
