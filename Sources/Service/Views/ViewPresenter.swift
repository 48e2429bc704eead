import Entitlements
import EventLoop
import Signatures
import Sync

/// Turns views into answers.
struct ViewPresenter: Sendable {
    let cursors: CursorCodec
    let signer: SnapshotSigner

    /// What a client must wait before the next poll after it got a view: two changes at once need one answer.
    private static let backoff = "50"

    /// The cursor that goes with a view.
    func cursor(of view: View) -> String { cursors.encode(view.cursor) }

    /// A whole view. `seen` is what the client has; a greater epoch tells it to forget that.
    func answer(_ view: View, _ form: ViewForm, seen: ViewOrder? = nil, now: Milliseconds) throws -> Answer {
        let snapshot = view.snapshot.json
        let cursor = cursor(of: view)
        var response: HTTPResponse
        switch form {
        case .plain:
            var writer = JSONWriter(capacity: snapshot.count + 256)
            writer.object { writer in
                writer.name("snapshot")
                writer.raw(snapshot)
                writer.member("cursor", cursor)
                if let seen, seen.epoch < view.order.epoch { writer.member("reset", true) }
            }
            response = Answer.json(writer.bytes).response
        case .signed(let installation):
            let jws = try signer.sign(view, snapshot: snapshot, cursor: cursor, installation: installation, at: now)
            response = HTTPResponse(
                status: 200,
                headers: [
                    HTTPResponse.Header("Content-Type", "application/jose"),
                    HTTPResponse.Header("Cache-Control", "private, no-store"),
                ], body: Array(jws.utf8))
        }
        response.headers += Self.common(cursor)
        response.headers.append(HTTPResponse.Header("ETag", tag(of: view, form)))
        return Answer(response)
    }

    /// Nothing is newer than what the client has.
    func unchanged(_ cursor: Cursor, closesConnection: Bool) -> Answer {
        Answer(
            HTTPResponse(
                status: 204,
                headers: [HTTPResponse.Header("Cache-Control", "private, no-store")]
                    + Self.common(cursors.encode(cursor)),
                closesConnection: closesConnection))
    }

    /// The client has the view that the tag names.
    func notModified(_ view: View, _ form: ViewForm) -> Answer {
        Answer(
            HTTPResponse(
                status: 304,
                headers: [
                    HTTPResponse.Header("Cache-Control", "private, no-store"),
                    HTTPResponse.Header("ETag", tag(of: view, form)),
                ] + Self.common(cursor(of: view))))
    }

    private static func common(_ cursor: String) -> [HTTPResponse.Header] {
        [
            HTTPResponse.Header("Entitlement-Cursor", cursor),
            HTTPResponse.Header("Entitlement-Backoff-Ms", backoff),
            HTTPResponse.Header("Vary", "Authorization, Accept, Entitlement-Installation"),
        ]
    }

    /// Weak: two views of one tag differ in the time they were made at most.
    func tag(of view: View, _ form: ViewForm) -> String {
        var snapshot = view.snapshot
        snapshot.asOf = 0
        let form =
            switch form {
            case .plain: "json"
            case .signed(let installation): "jose \(installation ?? "")"
            }
        let input = snapshot.json + Array("\(view.order.epoch) \(view.order.activation) \(form)".utf8)
        return "W/\"\(Hex.encode(SHA256.hash(input).bytes.prefix(12)))\""
    }

    /// Whether the tags of `If-None-Match` include the view's (RFC 9110 section 13.1.2).
    func matches(_ header: String?, _ view: View, _ form: ViewForm) -> Bool {
        guard let header else { return false }
        let wanted = tag(of: view, form)
        return header.split(separator: ",").contains { item in
            let text = item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            return String(text) == "*" || String(text) == wanted
        }
    }
}
