import CLibcurl

/// libcurl's set of transfers.
///
/// `wake` is the one thing that any thread may do; all else is for the worker's thread alone. The set is freed by whoever
/// lets go of it last, when no thread uses it.
final class MultiHandle: Sendable {
    /// Once a process, which frees it when it ends.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    // Set once; what it points to is used as said above.
    nonisolated(unsafe) let ownedMulti: UnsafeMutableRawPointer

    init(connectionLimit: Int) throws(WebError) {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw WebError(.resourcesExhausted, "libcurl cannot start; raise the limits of memory and open files")
        }
        ownedMulti = multi
        CLibcurl_limit_connections(multi, connectionLimit)
    }

    deinit { curl_multi_cleanup(ownedMulti) }

    /// Ends `wait`, the present one or else the next.
    func wake() { curl_multi_wakeup(ownedMulti) }

    /// Waits for the network, a timer of libcurl or `wake`.
    func wait() { curl_multi_poll(ownedMulti, nil, 0, 3_600_000, nil) }
}
