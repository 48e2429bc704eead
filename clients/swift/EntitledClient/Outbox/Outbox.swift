import Entitlements

/// What the app handed over and the service has not answered for good, in a file that survives a crash at any instant:
/// an append lasts before it returns, a torn end is cut off, and a compaction replaces the file as a whole. The worst
/// that a crash does is to send something twice, which the service answers with `duplicate`.
final class Outbox {
    private let path: String
    private let account: AccountID
    private let limits: ClientLimits
    /// Nil after a failed write: the next one starts from a file rewritten from memory.
    private var file: AppendFile?
    /// In the order handed over.
    private(set) var items: [OutboxItem]
    private var ids: Set<String>
    private var bytes: Int
    /// Lines of the file that no longer matter.
    private var deadLines: Int
    /// Lines that could not be read, or were of another account.
    let damagedLines: Int

    /// Below this many lines the file is left to grow.
    static let compactionThreshold = 64

    /// Opens the file of an account, or makes it. Throws `storage`.
    init(accountDirectory: String, account: AccountID, limits: ClientLimits) throws(ClientError) {
        path = accountDirectory + "/outbox.log"
        self.account = account
        self.limits = limits
        // Twice the bound: what waits and what no longer matters.
        let content = try Files.read(path, limit: max(limits.outboxBytes * 4, 64 << 20)) ?? []
        let read = Self.fold(content, account: account)
        items = read.items
        ids = Set(read.items.map(\.id))
        bytes = read.items.reduce(0) { $0 + $1.signed.utf8.count }
        deadLines = read.lines - read.items.count
        damagedLines = read.damaged
        file = try AppendFile(path, length: read.wholeLength)
    }

    /// Hands objects over: all of them, lasting, or none. What waits already is not added again. Throws `outboxFull`,
    /// `storage`.
    func add(_ new: [OutboxItem]) throws(ClientError) {
        var fresh: [OutboxItem] = []
        var freshIds: Set<String> = []
        for item in new where !ids.contains(item.id) && freshIds.insert(item.id).inserted { fresh.append(item) }
        guard !fresh.isEmpty else { return }
        let added = fresh.reduce(0) { $0 + $1.signed.utf8.count }
        guard items.count + fresh.count <= limits.outboxCount, bytes + added <= limits.outboxBytes else {
            throw ClientError(
                .outboxFull,
                "\(items.count) objects wait for the service, which is all the outbox may hold; do not finish these "
                    + "transactions, push them again when the service is reached")
        }
        try append(fresh.flatMap { OutboxRecord.added($0, account: account).line })
        items += fresh
        ids.formUnion(freshIds)
        bytes += added
    }

    /// The service has answered these for good. Throws `storage`: then they leave memory all the same, and are sent once
    /// more after a restart.
    func complete(_ done: Set<String>) throws(ClientError) {
        let gone = items.filter { done.contains($0.id) }
        guard !gone.isEmpty else { return }
        items.removeAll { done.contains($0.id) }
        ids.subtract(done)
        bytes -= gone.reduce(0) { $0 + $1.signed.utf8.count }
        guard !items.isEmpty else { return try empty() }
        try append(gone.flatMap { OutboxRecord.done(id: $0.id).line })
        deadLines += gone.count * 2
        if deadLines > max(Self.compactionThreshold, items.count) { try compact() }
    }

    /// The oldest that fit one request.
    func nextBatch(count: Int, bytes: Int) -> [OutboxItem] { items[...].batch(count: count, bytes: bytes) }

    /// Puts these behind the rest, so that they do not hold it up. The file keeps its order.
    func postpone(_ late: Set<String>) {
        items = items.filter { !late.contains($0.id) } + items.filter { late.contains($0.id) }
    }

    private func append(_ lines: [UInt8]) throws(ClientError) {
        if file == nil { try compact() }
        do {
            try file?.append(lines)
        } catch {
            file = nil
            throw error
        }
    }

    /// Nothing waits: nothing of what was sent stays on the disk.
    private func empty() throws(ClientError) {
        deadLines = 0
        do {
            try file?.empty()
        } catch {
            file = nil
            throw error
        }
    }

    private func compact() throws(ClientError) {
        let content = items.flatMap { OutboxRecord.added($0, account: account).line }
        file = nil
        try Files.replace(path, with: content)
        file = try AppendFile(path, length: content.count)
        deadLines = 0
    }

    private struct Content {
        var items: [OutboxItem] = []
        var lines = 0
        var damaged = 0
        /// Where the last whole line ends.
        var wholeLength = 0
    }

    private static func fold(_ bytes: [UInt8], account: AccountID) -> Content {
        var content = Content()
        var position: [String: Int] = [:]
        var kept: [OutboxItem?] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            content.lines += 1
            switch OutboxRecord(line: bytes[start..<end]) {
            case .added(let item, account):
                if position[item.id] == nil {
                    position[item.id] = kept.count
                    kept.append(item)
                }
            case .done(let id):
                if let index = position.removeValue(forKey: id) { kept[index] = nil }
            case .added, nil:
                // Another account's object is never sent; a damaged line is no object.
                content.damaged += 1
            }
            start = end + 1
        }
        content.wholeLength = start
        content.items = kept.compactMap(\.self)
        return content
    }
}

extension ArraySlice<OutboxItem> {
    /// The first ones, at most so many and so long; at least one.
    func batch(count: Int, bytes: Int) -> [OutboxItem] {
        var batch: [OutboxItem] = []
        var left = bytes
        for item in prefix(Swift.max(count, 1)) {
            left -= item.signed.utf8.count
            guard left >= 0 || batch.isEmpty else { break }
            batch.append(item)
        }
        return batch
    }
}
