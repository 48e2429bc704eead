import CLibevent

/// One connection: reads requests with the strict ``RequestReader``, has evhttp carry them and their answers.
///
/// evhttp never sees the client's own bytes. What arrives is taken out of the bufferevent at once; for each request that
/// passed the check evhttp gets an equivalent of a line or two (``Feed``), which it cannot misread. It keeps its part:
/// 100-continue, writing answers, keeping or closing the connection. Not Sendable: used on its loop only.
final class HTTPConnection {
    private enum Phase {
        /// Waiting for a request, or in the middle of one.
        case receiving
        /// A handler has the request.
        case handling
        /// The answer is on its way out.
        case writing
        /// A refusal is out; the rest of what the client sends is dropped until it hangs up.
        case lingering
        case closed
    }

    /// What evhttp will hand back through its callback.
    private enum Delivery {
        case request(RequestHead, body: [UInt8])
        case refusal(HTTPProblem)
    }

    private let listener: HTTPListener
    /// Counted up in `init`, down when the connection ends; evhttp has its own count.
    let ownedTransport: OpaquePointer
    /// Lent by evhttp until it calls `connectionEnds`.
    private var connection: OpaquePointer?
    /// Lent by evhttp while the request is being answered; ours to free if evhttp lost the connection meanwhile.
    private var request: OpaquePointer?
    private var inputCallback: OpaquePointer?

    private var phase = Phase.receiving
    private(set) var reader = RequestReader()
    private var delivery: Delivery?
    private var clientGone: (@Sendable () -> Void)?
    private var remoteAddress = ""
    private(set) var deadline: Int64
    /// Tells an answer for an earlier request of this connection from one for the present request.
    private var exchange: UInt32 = 0
    private let isSurplus: Bool
    var isFeeding = false
    var isBodyOpen = false
    private var isHeld = false
    private var isHeadRequest = false
    private var keepsConnection = true

    init(transport: OpaquePointer, listener: HTTPListener, isSurplus: Bool) {
        self.listener = listener
        self.isSurplus = isSurplus
        ownedTransport = transport
        deadline = listener.deadline(listener.timeLimits.head)
        bufferevent_incref(transport)
        let context = Unmanaged.passUnretained(self).toOpaque()
        inputCallback = evbuffer_add_cb(bufferevent_get_input(transport), bytesArrived, context)
    }

    var isIdle: Bool { phase == .receiving && delivery == nil && reader.isIdle }

    /// Finds evhttp's part of the connection, which did not exist yet when the transport was made.
    func adopt() {
        guard phase != .closed else { return }
        var context: UnsafeMutableRawPointer?
        bufferevent_getcb(ownedTransport, nil, nil, nil, &context)
        guard let context else {
            // evhttp failed to set the connection up and has freed it already.
            return end()
        }
        let connection = OpaquePointer(context)
        self.connection = connection
        evhttp_connection_set_closecb(connection, connectionEnds, Unmanaged.passUnretained(self).toOpaque())
        var address: UnsafeMutablePointer<CChar>?
        var port: UInt16 = 0
        evhttp_connection_get_peer(connection, &address, &port)
        if let address { remoteAddress = String(cString: address) }
    }

    /// Closes at once. Only where evhttp is not on the stack.
    func close() {
        if let connection { evhttp_connection_free(connection) }
    }

    /// The deadline has passed.
    func expire() {
        switch phase {
        case .receiving where delivery == nil && reader.isReceiving:
            deliver(refusal: .requestTimeout)
            bufferevent_trigger(ownedTransport, Int16(EV_READ), 0)
        case .closed: break
        case .receiving, .handling, .writing, .lingering: close()
        }
    }

    // MARK: - In

    /// Takes the bytes that were added out of evhttp's sight. What it was fed and has not read yet stays in front.
    fileprivate func takeInput(_ buffer: OpaquePointer, added: Int) {
        guard !isFeeding else { return }
        let bytes = removeTail(of: buffer, added)
        let wasIdle = isIdle
        reader.append(bytes)
        if phase == .receiving {
            if wasIdle { deadline = listener.deadline(listener.timeLimits.head) }
            advance()
        } else {
            pauseIfFull()
        }
    }

    private func advance() {
        while delivery == nil {
            switch reader.nextAction(listener.readerLimits) {
            case .wait: return
            case .openBody(let expectsContinue):
                deadline = listener.deadline(listener.timeLimits.body)
                openBody(expectsContinue: expectsContinue)
            case .deliver(let head, let body):
                guard !isSurplus else {
                    return deliver(refusal: .overloaded(retryAfter: Int.random(in: 5...30)))
                }
                delivery = .request(head, body: body)
                feedEnd()
            case .refuse(let problem):
                delivery = .refusal(problem)
                feedEnd()
            }
        }
    }

    private func deliver(refusal problem: HTTPProblem) {
        _ = reader.refuse(problem)
        delivery = .refusal(problem)
        feedEnd()
    }

    /// evhttp has the equivalent of a request that was delivered or refused.
    func dispatch(_ request: OpaquePointer) {
        guard let delivery else { return evhttp_send_error(request, 500, nil) }
        self.delivery = nil
        self.request = request
        isBodyOpen = false
        exchange &+= 1
        phase = .handling
        deadline = listener.deadline(listener.timeLimits.answer)
        switch delivery {
        case .refusal(let problem):
            listener.counters.refusedRequests.count()
            isHeadRequest = false
            keepsConnection = false
            send(problem.response, exchange: exchange)
        case .request(let head, let body):
            listener.counters.requests.count()
            isHeadRequest = head.method == "HEAD"
            keepsConnection = head.keepsConnection
            listener.handler(
                HTTPRequest(head: head, body: body, remoteAddress: remoteAddress, loop: listener.loop),
                HTTPResponder(connection: LoopBound(self, loop: listener.loop), exchange: exchange))
            if phase == .handling { hold() }
        }
    }

    /// Nobody answered yet.
    private func hold() {
        isHeld = true
        listener.counters.heldRequests.count()
        waitForEndOfStream()
        pauseIfFull()
    }

    private func endHold() {
        guard isHeld else { return }
        isHeld = false
        listener.counters.heldRequests.count(-1)
    }

    // MARK: - Out

    func setClientGone(_ body: @escaping @Sendable () -> Void, exchange: UInt32) {
        guard phase == .handling, exchange == self.exchange else { return }
        clientGone = body
    }

    func send(_ response: HTTPResponse, exchange: UInt32) {
        guard phase == .handling, exchange == self.exchange, let request else { return }
        endHold()
        clientGone = nil
        phase = .writing
        deadline = listener.deadline(listener.timeLimits.write)
        keepsConnection = keepsConnection && !response.closesConnection && !listener.isDraining

        let headers = evhttp_request_get_output_headers(request)
        for header in response.headers { evhttp_add_header(headers, header.name, header.value) }
        if response.mayHaveBody { evhttp_add_header(headers, "Content-Length", String(response.body.count)) }
        if !keepsConnection { evhttp_add_header(headers, "Connection", "close") }
        if response.mayHaveBody && !isHeadRequest && !response.body.isEmpty {
            _ = response.body.withUnsafeBytes {
                evbuffer_add(evhttp_request_get_output_buffer(request), $0.baseAddress, $0.count)
            }
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        evhttp_request_set_on_complete_cb(request, answerIsOut, context)
        evhttp_send_reply(request, Int32(response.status), nil, nil)
        pauseIfFull()
    }

    /// The kernel has the whole answer. evhttp frees the request next, then the connection if it is to close.
    fileprivate func finishExchange() {
        guard let request else { return }
        self.request = nil
        phase = .receiving
        if !reader.isAccepting {
            linger(request)
        } else if keepsConnection {
            reader.finishExchange()
            let limits = listener.timeLimits
            deadline = listener.deadline(reader.isIdle ? limits.idle : limits.head)
            // With the next request fed here, evhttp reads on by itself.
            advance()
        }
    }

    /// Closing while the client still sends would reset the connection and lose the refusal on its way (RFC 9112
    /// section 9.6). So only our half is closed, and evhttp is kept from closing by taking its reason away.
    private func linger(_ request: OpaquePointer) {
        phase = .lingering
        deadline = listener.deadline(listener.timeLimits.linger)
        evhttp_remove_header(evhttp_request_get_output_headers(request), "Connection")
        shutdown(bufferevent_getfd(ownedTransport), Int32(SHUT_WR))
    }

    // MARK: - End

    /// evhttp is about to free its part of the connection.
    fileprivate func end() {
        guard phase != .closed else { return }
        let wasHandling = phase == .handling
        phase = .closed
        connection = nil
        endHold()
        if let request, evhttp_request_get_connection(request) == nil {
            // The client left while a handler had the request: evhttp leaves that request to us.
            evhttp_request_free(request)
        }
        request = nil
        if let inputCallback {
            evbuffer_remove_cb_entry(bufferevent_get_input(ownedTransport), inputCallback)
        }
        listener.forget(ownedTransport)
        bufferevent_decref(ownedTransport)
        let clientGone = self.clientGone
        self.clientGone = nil
        if wasHandling {
            listener.counters.clientsGone.count()
            clientGone?()
        }
    }
}

private func connection(_ context: UnsafeMutableRawPointer?) -> HTTPConnection? {
    context.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
}

private func bytesArrived(
    buffer: OpaquePointer?, info: UnsafePointer<evbuffer_cb_info>?, context: UnsafeMutableRawPointer?
) {
    // evhttp taking out what it was fed is a change of the buffer too, but none of ours.
    guard let buffer, let info, info.pointee.n_added > 0 else { return }
    connection(context)?.takeInput(buffer, added: info.pointee.n_added)
}

private func answerIsOut(request: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    connection(context)?.finishExchange()
}

private func connectionEnds(evconnection: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    connection(context)?.end()
}
