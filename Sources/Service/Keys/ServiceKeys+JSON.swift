import Entitlements
import Signatures

extension ServiceKeys {
    /// The keys in their file. Throws `keys`, with the member that is wrong.
    public init(json: [UInt8]) throws(ServiceError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json)
        } catch {
            throw ServiceError(.keys, "the key file is not JSON: \(error)")
        }
        guard let file = value.objectValue else { throw ServiceError(.keys, "the key file must be a JSON object") }
        var signing: [SigningKey] = []
        for (place, key) in try Self.list(file, "signingKeys") { signing.append(try Self.signingKey(key, place)) }
        var verification: [VerificationKey] = []
        for (place, key) in try Self.list(file, "verificationKeys") {
            verification.append(try Self.verificationKey(key, place))
        }
        var cursor: [CursorKey] = []
        for (place, key) in try Self.list(file, "cursorKeys") { cursor.append(try Self.cursorKey(key, place)) }

        guard signing.count(where: { $0.status == .active }) == 1 else {
            throw ServiceError(.keys, "exactly one of signingKeys must have the status active")
        }
        guard 1...2 ~= cursor.count, Set(cursor.map(\.id)).count == cursor.count else {
            throw ServiceError(.keys, "cursorKeys must be one key or two with different ids, the newest first")
        }
        let kids = signing.map(\.kid) + verification.map(\.kid)
        guard Set(kids).count == kids.count else { throw ServiceError(.keys, "two keys have the same kid") }
        self.init(signing: signing, verification: verification, cursor: cursor)
    }

    /// The keys as their file holds them: secret.
    public func json() throws -> [UInt8] {
        let signing = try signing.map { key -> JSONValue in
            [
                "kid": .string(key.kid), "alg": "EdDSA", "status": .string(key.status.rawValue),
                "created": .integer(key.created), "privateKey": .string(try key.privateKey.pem()),
            ]
        }
        let verification = verification.map { key -> JSONValue in
            [
                "kid": .string(key.kid), "alg": "ES256", "app": JSONValue(key.app),
                "scopes": .array(key.scopes.map(\.rawValue).sorted().map(JSONValue.string)),
                "publicKey": .string(key.pem),
            ]
        }
        let cursor = cursor.map { key -> JSONValue in
            [
                "id": .integer(Int64(key.id)), "created": .integer(key.created),
                "secret": .string(Base64URL.encode(key.secret)),
            ]
        }
        let file: JSONValue = [
            "signingKeys": .array(signing), "verificationKeys": .array(verification), "cursorKeys": .array(cursor),
        ]
        return Array((file.text + "\n").utf8)
    }

    private static func list(
        _ file: JSONObject, _ name: String
    ) throws(ServiceError) -> [(place: String, key: JSONObject)] {
        guard let value = file[name] else { return [] }
        guard let elements = value.arrayValue else { throw ServiceError(.keys, "\(name) must be an array") }
        var list: [(String, JSONObject)] = []
        for (index, element) in elements.enumerated() {
            guard let key = element.objectValue else {
                throw ServiceError(.keys, "\(name)[\(index)] must be an object")
            }
            list.append(("\(name)[\(index)]", key))
        }
        return list
    }

    private static func signingKey(_ key: JSONObject, _ place: String) throws(ServiceError) -> SigningKey {
        guard let status = key["status"]?.stringValue.flatMap(SigningKey.Status.init) else {
            throw ServiceError(.keys, "\(place).status must be active or retired")
        }
        guard let pem = key["privateKey"]?.stringValue, let privateKey = try? Ed25519PrivateKey(pem: pem) else {
            throw ServiceError(.keys, "\(place).privateKey must be an Ed25519 key as PKCS#8 PEM")
        }
        let read = SigningKey(privateKey: privateKey, created: key["created"]?.integerValue ?? 0, status: status)
        guard key["kid"]?.stringValue ?? read.kid == read.kid else {
            throw ServiceError(.keys, "\(place).kid is not that of its key, which is \(read.kid)")
        }
        return read
    }

    private static func verificationKey(_ key: JSONObject, _ place: String) throws(ServiceError) -> VerificationKey {
        guard let kid = key["kid"]?.stringValue, 1...128 ~= kid.utf8.count else {
            throw ServiceError(.keys, "\(place).kid must be a text of 1 to 128 bytes")
        }
        guard let pem = key["publicKey"]?.stringValue, let publicKey = try? ECPublicKey(pem: pem),
            publicKey.curve == .p256
        else {
            throw ServiceError(.keys, "\(place).publicKey must be a P-256 key as PEM (BEGIN PUBLIC KEY)")
        }
        // Whoever says nothing lets a foreign issuer make device tokens only.
        let named = key["scopes"] == nil ? [.string(Scope.device.rawValue)] : key["scopes"]?.arrayValue ?? []
        let scopes = named.compactMap { $0.stringValue.flatMap(Scope.init) }
        guard !scopes.isEmpty, scopes.count == named.count else {
            throw ServiceError(.keys, "\(place).scopes must be a list of \(Scope.allNames)")
        }
        let app = key["app"]?.stringValue
        return VerificationKey(kid: kid, publicKey: publicKey, pem: pem, scopes: Set(scopes), app: app)
    }

    private static func cursorKey(_ key: JSONObject, _ place: String) throws(ServiceError) -> CursorKey {
        guard let id = key["id"]?.integerValue.flatMap(UInt8.init(exactly:)),
            let secret = key["secret"]?.stringValue.flatMap({ Base64URL.decode(Array($0.utf8)) }), secret.count == 32
        else {
            throw ServiceError(.keys, "\(place) must have an id from 0 to 255 and a secret of 32 bytes as base64url")
        }
        return CursorKey(id: id, created: key["created"]?.integerValue ?? 0, secret: secret)
    }
}
