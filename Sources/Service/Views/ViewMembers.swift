import Entitlements
import EventLoop
import Sync

/// How a request that changes something wants the view after it. Read before anything is done: a wrong header changes nothing.
struct ViewWish: Sendable {
    /// Whether it asked for `signedSnapshot` with `Entitlement-Signed: 1`.
    let isSigned: Bool
    /// The installation that the JWS is for.
    let installation: String?

    init(_ headers: HTTPHeaders) throws(Problem) {
        isSigned = headers["Entitlement-Signed"] == "1"
        installation = try ViewForm.installation(headers)
    }
}

/// What every answer to a change ends with: the view after it as `snapshot`, `cursor` and, if wished, `signedSnapshot`.
struct ViewMembers: Sendable {
    private let snapshot: [UInt8]
    private let cursor: String
    private let signed: String?

    /// Throws if signing fails, which it does not while there is memory.
    init(_ view: View, _ wish: ViewWish, by presenter: ViewPresenter, at now: Milliseconds) throws {
        snapshot = view.snapshot.json
        cursor = presenter.cursor(of: view)
        signed =
            wish.isSigned
            ? try presenter.signer.sign(
                view, snapshot: snapshot, cursor: cursor, installation: wish.installation, at: now) : nil
    }

    /// The members, behind the answer's own.
    func write(to writer: inout JSONWriter) {
        writer.name("snapshot")
        writer.raw(snapshot)
        writer.member("cursor", cursor)
        if let signed { writer.member("signedSnapshot", signed) }
    }

    /// The header that says the cursor.
    var header: HTTPResponse.Header { HTTPResponse.Header("Entitlement-Cursor", cursor) }
}
