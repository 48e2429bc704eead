/// Finds the route of a request. A table walked from the top: there are a few dozen routes, and the busy ones stand first.
struct Router: Sendable {
    /// What a method and a path lead to.
    enum Match: Sendable {
        /// The route, and what stood in the places of its pattern.
        case route(Route, PathParameters)
        /// The path is right, but takes these methods only.
        case otherMethods([String])
        /// Nothing is there.
        case nothing
    }

    let routes: [Route]

    func match(method: String, segments: [String]) -> Match {
        // A HEAD is answered as a GET whose body stays here.
        let wanted = method == "HEAD" ? "GET" : method
        var methods: [String] = []
        for route in routes {
            guard let parameters = route.pattern.match(segments) else { continue }
            if route.label.method == wanted { return .route(route, parameters) }
            methods.append(route.label.method)
            if route.label.method == "GET" { methods.append("HEAD") }
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
