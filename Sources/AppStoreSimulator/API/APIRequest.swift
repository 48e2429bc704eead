import Entitlements

/// A request to the App Store Server API whose sender is known.
struct APIRequest: Sendable {
    let method: String
    /// The path's pieces below `/inApps`, decoded.
    let path: [String]
    let query: [(name: String, value: String)]
    let body: [UInt8]

    func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// The only value of a parameter; nil if it is absent.
    func value(_ name: String, orElse error: ServerAPIError) throws(ServerAPIError) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw error }
        return values.first
    }

    /// An instant of the query.
    func instant(_ name: String, orElse error: ServerAPIError) throws(ServerAPIError) -> Milliseconds? {
        guard let text = try value(name, orElse: error) else { return nil }
        guard let instant = Milliseconds(text), instant >= 0 else { throw error }
        return instant
    }

    /// The query without what pages: the same on every page.
    var filters: [String] {
        query.filter { $0.name != "revision" && $0.name != "paginationToken" }.map { "\($0.name)=\($0.value)" }.sorted()
    }

    /// The body as a JSON object.
    func object() throws(ServerAPIError) -> JSONObject {
        guard let object = (try? JSONValue(parsing: body))?.objectValue else { throw .badRequest }
        return object.withoutNulls()
    }
}

/// An answer of the Server API that is no error.
struct APIAnswer: Sendable {
    let status: Int
    /// Nil: no body.
    let body: JSONObject?

    init(_ body: JSONObject? = nil, status: Int = 200) {
        self.status = status
        self.body = body
    }
}
