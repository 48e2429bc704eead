import CLibpq

/// Owns a `PGconn`. Never blocks, except where `PQconnectPoll` resolves a host name.
///
/// Not Sendable: it belongs to one session, which is confined to its reactor.
final class LibpqConnection {
    enum PollResult {
        case wantsRead, wantsWrite, connected, failed
    }

    let owned: OpaquePointer

    /// Starts to connect. Fails only without memory; other failures show at the first poll.
    init?(parameters: [(key: String, value: String)]) {
        let connection = withCStrings(parameters.map(\.key)) { keys in
            withCStrings(parameters.map(\.value)) { values in
                // 1: the value of dbname is a connection string or URI to be taken apart.
                PQconnectStartParams(keys, values, 1)
            }
        }
        guard let connection else { return nil }
        owned = connection
        // Notices would go to standard error; what matters arrives as a result.
        PQsetNoticeReceiver(owned, { _, _ in }, nil)
    }

    deinit {
        PQfinish(owned)
    }

    func poll() -> PollResult {
        switch PQconnectPoll(owned) {
        case PGRES_POLLING_OK: .connected
        case PGRES_POLLING_READING: .wantsRead
        case PGRES_POLLING_WRITING: .wantsWrite
        default: .failed
        }
    }

    /// -1 while there is none. May change with every `poll()`.
    var socket: Int32 { PQsocket(owned) }

    var processID: Int32 { PQbackendPID(owned) }

    var isOutsideTransaction: Bool { PQtransactionStatus(owned) == PQTRANS_IDLE }

    /// One line, without the connection string. libpq puts host, port and user into it, never the password.
    var errorMessage: String {
        String(cString: PQerrorMessage(owned))
            .split(whereSeparator: \.isNewline)
            .joined(separator: "; ")
    }

    func beginPipelining() -> Bool {
        PQsetnonblocking(owned, 1) == 0 && PQenterPipelineMode(owned) == 1
    }

    func endPipelining() -> Bool {
        PQexitPipelineMode(owned) == 1
    }

    /// False if the connection is broken.
    func consumeInput() -> Bool {
        PQconsumeInput(owned) == 1
    }

    /// True if the next result has not arrived completely: asking for it would block.
    var isBusy: Bool {
        PQisBusy(owned) == 1
    }

    /// The next result, or nil at the end of a command. Only when not busy.
    func nextResult() -> PostgresResult? {
        PQgetResult(owned).map(PostgresResult.init(owning:))
    }

    enum FlushResult {
        case done, pending, failed
    }

    func flush() -> FlushResult {
        switch PQflush(owned) {
        case 0: .done
        case 1: .pending
        default: .failed
        }
    }

    func sendSync() -> Bool {
        PQpipelineSync(owned) == 1
    }

    func sendPrepare(_ statement: PostgresStatement) -> Bool {
        let types = statement.parameterTypes.map { Oid($0.rawValue) }
        return PQsendPrepare(owned, statement.name, statement.sql, Int32(types.count), types) == 1
    }

    func sendExecute(_ statement: PostgresStatement, _ parameters: PostgresParameters) -> Bool {
        let count = parameters.count
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                parameters.bytes.withUnsafeBytes { bytes in
                    for (index, slot) in parameters.slots.enumerated() {
                        let isNull = slot.length < 0
                        let value = bytes.baseAddress?.advanced(by: slot.offset).assumingMemoryBound(to: CChar.self)
                        values.initializeElement(at: index, to: isNull ? nil : value)
                        numbers.initializeElement(at: index, to: Int32(clamping: max(slot.length, 0)))
                        numbers.initializeElement(at: count + index, to: 1)
                    }
                    let lengths = numbers.baseAddress
                    return PQsendQueryPrepared(
                        owned, statement.name, Int32(count), values.baseAddress, lengths,
                        lengths.map { $0 + count }, 1) == 1
                }
            }
        }
    }

    /// One statement without parameters, in the extended protocol, which is the only one a pipeline allows.
    func sendInPipeline(_ sql: String) -> Bool {
        PQsendQueryParams(owned, sql, 0, nil, nil, nil, nil, 1) == 1
    }

    /// One or more statements in the simple protocol. Not in a pipeline.
    func sendScript(_ sql: String) -> Bool {
        PQsendQuery(owned, sql) == 1
    }

    /// The next notification that has arrived.
    func nextNotification() -> PostgresNotification? {
        guard let notification = PQnotifies(owned) else { return nil }
        defer { PQfreemem(notification) }
        return PostgresNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra),
            processID: notification.pointee.be_pid)
    }
}

/// Lends an array of C strings that ends with NULL.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
    var offsets: [Int] = []
    var bytes: [CChar] = []
    for string in strings {
        offsets.append(bytes.count)
        bytes.append(contentsOf: string.utf8CString)
    }
    return bytes.withUnsafeBufferPointer { buffer in
        let pointers = offsets.map { buffer.baseAddress?.advanced(by: $0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
