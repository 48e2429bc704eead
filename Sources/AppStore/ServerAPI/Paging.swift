/// Reads page after page and notices when a server would never end it. Pure; keeps what it needs to be stored and resumed.
public struct Paging: Sendable {
    /// What to do after a page.
    public enum Step: Sendable, Hashable {
        /// Ask for the page behind this token.
        case next(token: String)
        /// All was read. The token, where there is one, serves the next time.
        case finished(token: String?)
        /// The server would go on for ever: what came is kept, and this is reported. The token is the last good one.
        case stopped(Reason, token: String?)
    }

    /// Why the paging is not complete.
    public enum Reason: String, Sendable, Hashable {
        /// A token came a second time.
        case repeatedToken
        /// More pages than anybody can have.
        case tooManyPages
        /// Pages without content, again and again.
        case emptyPages
        /// More is promised, and no token given to ask for it.
        case noToken
    }

    private static let emptyPagesAllowed = 5

    private let maximumPages: Int
    private var token: String?
    private var seen: Set<String> = []
    private var pages = 0
    private var emptyPages = 0

    /// A paging that begins behind a token, or at the beginning.
    public init(after token: String? = nil, maximumPages: Int) {
        self.maximumPages = maximumPages
        self.token = token
        if let token { seen.insert(token) }
    }

    /// A page came.
    public mutating func took(items: Int, token new: String?, hasMore: Bool) -> Step {
        pages += 1
        emptyPages = items == 0 ? emptyPages + 1 : 0
        let last = token
        guard hasMore else { return .finished(token: new ?? last) }
        guard let new, !new.isEmpty else { return .stopped(.noToken, token: last) }
        guard seen.insert(new).inserted else { return .stopped(.repeatedToken, token: last) }
        token = new
        if pages >= maximumPages { return .stopped(.tooManyPages, token: new) }
        if emptyPages > Self.emptyPagesAllowed { return .stopped(.emptyPages, token: new) }
        return .next(token: new)
    }
}
