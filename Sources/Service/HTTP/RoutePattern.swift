/// A path with places for parameters: `/v1/apps/{bundleId}/grants/{id}`.
struct RoutePattern: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case literal(String)
        case parameter(PathParameter)
    }

    /// As it is written.
    let template: String
    private let pieces: [Piece]

    init(_ template: StaticString) {
        self.template = "\(template)"
        pieces = self.template.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
            guard piece.hasPrefix("{"), piece.hasSuffix("}"),
                let parameter = PathParameter(rawValue: String(piece.dropFirst().dropLast()))
            else { return .literal(String(piece)) }
            return .parameter(parameter)
        }
    }

    /// The parameters of a path that fits; nil if it does not.
    func match(_ segments: [String]) -> PathParameters? {
        guard segments.count == pieces.count else { return nil }
        var parameters = PathParameters()
        for (piece, segment) in zip(pieces, segments) {
            switch piece {
            case .literal(let text): guard text == segment else { return nil }
            case .parameter(let parameter): parameters[parameter] = segment
            }
        }
        return parameters
    }
}

/// The places for parameters in all patterns.
enum PathParameter: String, Sendable, Hashable {
    case bundleId, account, currency, id, file
}

/// What stood in the places of a pattern, decoded.
struct PathParameters: Sendable, Hashable {
    private var values: [PathParameter: String] = [:]

    subscript(parameter: PathParameter) -> String? {
        get { values[parameter] }
        set { values[parameter] = newValue }
    }
}
