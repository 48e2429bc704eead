import CLibevent

/// How a connection stands between the client's bytes and evhttp.
extension HTTPConnection {
    /// Bytes of further requests a client may send ahead while one is being answered.
    private static let maxPendingBytes = 32 * 1024

    /// Takes the last `added` bytes out of the buffer. What evhttp was fed and has not read yet is in front and stays.
    func removeTail(of buffer: OpaquePointer, _ added: Int) -> [UInt8] {
        let count = evbuffer_get_length(buffer)
        var bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initializedCount in
            initializedCount = max(0, Int(evbuffer_remove(buffer, bytes.baseAddress, count)))
        }
        guard count > added else { return bytes }
        feed(Array(bytes[..<(count - added)]))
        bytes.removeFirst(count - added)
        return bytes
    }

    /// Lets evhttp begin a request that has a body; it sends 100 Continue if the client waits for that.
    func openBody(expectsContinue: Bool) {
        isBodyOpen = true
        feed(expectsContinue ? Feed.headThatExpectsContinue : Feed.headWithBody)
    }

    /// Lets evhttp have the end of a request, or all of one that has no body.
    func feedEnd() {
        feed(isBodyOpen ? Feed.endOfBody : Feed.headWithoutBody)
    }

    /// Puts bytes of ours where evhttp reads.
    private func feed(_ bytes: [UInt8]) {
        let input = bufferevent_get_input(ownedTransport)
        isFeeding = true
        // A bufferevent keeps the end of its input closed except while it reads.
        evbuffer_unfreeze(input, 0)
        _ = bytes.withUnsafeBytes { evbuffer_add(input, $0.baseAddress, $0.count) }
        isFeeding = false
    }

    /// Stops reading from a client that sends further requests without reading its answers. evhttp resumes it.
    func pauseIfFull() {
        guard reader.pendingCount > Self.maxPendingBytes else { return }
        bufferevent_disable(ownedTransport, Int16(EV_READ))
    }

    /// Waits, as evhttp does while it writes, for nothing but the end of the stream.
    func waitForEndOfStream() {
        var writeCallback: bufferevent_data_cb?
        var eventCallback: bufferevent_event_cb?
        var context: UnsafeMutableRawPointer?
        bufferevent_getcb(ownedTransport, nil, &writeCallback, &eventCallback, &context)
        // With evhttp's read callback a byte from the client would end the process ("illegal connection state").
        bufferevent_setcb(ownedTransport, nil, writeCallback, eventCallback, context)
        bufferevent_enable(ownedTransport, Int16(EV_READ))
    }
}

/// What evhttp reads in place of the client's bytes.
private enum Feed {
    static let headWithoutBody = Array("POST / HTTP/1.1\r\n\r\n".utf8)
    static let headWithBody = Array("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    static let headThatExpectsContinue = Array(
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n".utf8)
    static let endOfBody = Array("0\r\n\r\n".utf8)
}
