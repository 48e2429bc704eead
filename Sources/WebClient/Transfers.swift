import CLibcurl

/// The transfers that are under way. Not Sendable: lives on the worker's thread.
final class Transfers {
    private let multi: MultiHandle
    private let configuration: WebClient.Configuration
    private var running: [UInt64: Transfer] = [:]
    private var ids: [UnsafeMutableRawPointer: UInt64] = [:]

    init(_ multi: MultiHandle, _ configuration: WebClient.Configuration) {
        self.multi = multi
        self.configuration = configuration
    }

    deinit { for id in Array(running.keys) { drop(id) } }

    func add(_ request: WebRequest, as id: UInt64) throws(WebError) {
        let transfer = try Transfer(request, configuration)
        guard curl_multi_add_handle(multi.ownedMulti, transfer.easy) == CURLM_OK else {
            throw WebError(.resourcesExhausted, "libcurl cannot take one more request")
        }
        running[id] = transfer
        ids[transfer.easy] = id
    }

    /// Ends a transfer wherever it is; its connection is closed.
    func drop(_ id: UInt64) {
        guard let transfer = running.removeValue(forKey: id) else { return }
        ids[transfer.easy] = nil
        curl_multi_remove_handle(multi.ownedMulti, transfer.easy)
    }

    /// Reads and writes what can be, and hands out what has ended.
    func turn() -> [(UInt64, Result<WebResponse, WebError>)] {
        var active: Int32 = 0
        var waiting: Int32 = 0
        curl_multi_perform(multi.ownedMulti, &active)
        var ended: [(UInt64, Result<WebResponse, WebError>)] = []
        while let message = curl_multi_info_read(multi.ownedMulti, &waiting)?.pointee {
            guard message.msg == CURLMSG_DONE, let id = ids[message.easy_handle], let transfer = running[id] else {
                continue
            }
            ended.append((id, transfer.result(of: message.data.result)))
            drop(id)
        }
        return ended
    }
}
