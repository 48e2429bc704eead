/// Cuts the bytes of one connection into requests. Does no I/O: bytes go in, actions come out.
///
/// It is stricter than evhttp, which takes the first of two lengths and reads the body behind an unknown transfer coding
/// as the next request. So evhttp gets to see a request only as far as it passed here.
struct RequestReader {
    struct Limits {
        var headBytes: Int
        var bodyBytes: Int
        var fields: Int
    }

    enum Action {
        /// Nothing to do until more bytes come or the answer is out.
        case wait
        /// A head is complete and its body is on the way.
        case openBody(expectsContinue: Bool)
        /// A request is complete. Nothing more follows until ``finishExchange()``.
        case deliver(RequestHead, body: [UInt8])
        /// The request is refused. Nothing more follows at all.
        case refuse(HTTPProblem)
    }

    private enum State {
        /// Waiting for a head, or in the middle of one.
        case head(HeadScanner)
        /// In the middle of a body.
        case body(BodyReader)
        /// A request was delivered; its answer is due. Bytes that come are kept for the next one.
        case delivered
        /// A request was refused; bytes that come are dropped.
        case refused
    }

    private var state = State.head(HeadScanner())
    private var pending: [UInt8] = []

    /// Bytes that wait for their turn.
    var pendingCount: Int { pending.count }

    /// Whether the connection rests between two requests.
    var isIdle: Bool {
        if case .head = state { pending.isEmpty } else { false }
    }

    /// Whether more requests may come: false once one was refused.
    var isAccepting: Bool {
        if case .refused = state { false } else { true }
    }

    /// Whether a request is on its way in.
    var isReceiving: Bool {
        switch state {
        case .head: !pending.isEmpty
        case .body: true
        case .delivered, .refused: false
        }
    }

    /// Adds bytes as they came.
    mutating func append(_ bytes: [UInt8]) {
        if case .refused = state { return }
        if pending.isEmpty { pending = bytes } else { pending.append(contentsOf: bytes) }
    }

    /// What to do next. Call until it says `wait`.
    mutating func nextAction(_ limits: Limits) -> Action {
        do throws(HTTPProblem) {
            switch state {
            case .head(var scanner):
                let result = scanner.scan(pending)
                state = .head(scanner)
                return try actOnHead(result, limits)
            case .body(let body):
                let rest = try body.take(pending, limit: limits.bodyBytes)
                pending = rest
                guard body.isComplete else { return .wait }
                state = .delivered
                return .deliver(body.head, body: body.bytes)
            case .delivered, .refused: return .wait
            }
        } catch {
            return refuse(error)
        }
    }

    /// Gives up on the request that is coming in.
    mutating func refuse(_ problem: HTTPProblem) -> Action {
        state = .refused
        pending = []
        return .refuse(problem)
    }

    /// The answer is out; the next request may begin.
    mutating func finishExchange() {
        if case .delivered = state { state = .head(HeadScanner()) }
    }

    private mutating func actOnHead(_ result: HeadScanner.Result, _ limits: Limits) throws(HTTPProblem) -> Action {
        switch result {
        case .malformed:
            throw .malformed("Lines of a request must end with CR LF and hold no other control characters.")
        case .incomplete:
            guard pending.count <= limits.headBytes else { throw .headerTooLarge(limit: limits.headBytes) }
            return .wait
        case .complete(let range):
            guard range.count <= limits.headBytes else { throw .headerTooLarge(limit: limits.headBytes) }
            let head = try RequestHead(takeHead(range), maxFields: limits.fields)
            guard let body = BodyReader(head) else {
                state = .delivered
                return .deliver(head, body: [])
            }
            if case .length(let length) = head.framing, length > limits.bodyBytes {
                throw .bodyTooLarge(limit: limits.bodyBytes)
            }
            state = .body(body)
            return .openBody(expectsContinue: head.expectsContinue && pending.isEmpty)
        }
    }

    /// Cuts the head off the pending bytes; without a copy if it is all there is.
    private mutating func takeHead(_ range: Range<Int>) -> [UInt8] {
        let bytes = pending
        if range.upperBound == bytes.count {
            pending = []
            return range.lowerBound == 0 ? bytes : Array(bytes[range])
        }
        pending = Array(bytes[range.upperBound...])
        return Array(bytes[range])
    }
}

/// A body on its way in. A class, so that it costs a connection nothing while there is none.
private final class BodyReader {
    private enum Framing {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    let head: RequestHead
    private(set) var bytes: [UInt8] = []
    private var framing: Framing

    /// Nil if the head says that there is no body.
    init?(_ head: RequestHead) {
        switch head.framing {
        case .none, .length(0): return nil
        case .length(let length): framing = .length(remaining: length)
        case .chunked: framing = .chunked(ChunkedDecoder())
        }
        self.head = head
    }

    var isComplete: Bool {
        switch framing {
        case .length(let remaining): remaining == 0
        case .chunked(let decoder): decoder.isDone
        }
    }

    /// Takes what belongs to the body and hands back the rest.
    func take(_ input: [UInt8], limit: Int) throws(HTTPProblem) -> [UInt8] {
        var index = 0
        switch framing {
        case .length(let remaining):
            index = min(remaining, input.count)
            bytes.append(contentsOf: input[..<index])
            framing = .length(remaining: remaining - index)
        case .chunked(var decoder):
            try decoder.decode(input, from: &index, into: &bytes, limit: limit)
            framing = .chunked(decoder)
        }
        return index == input.count ? [] : Array(input[index...])
    }
}
