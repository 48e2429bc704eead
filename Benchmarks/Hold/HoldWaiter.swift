import Foundation

/// Pushes through the client that holds the polls, and puts its times beside those of the database.
struct HoldWaiter {
    /// In milliseconds.
    struct Times {
        /// From when the database committed to when the client had the poll's answer.
        var fromCommit = Samples()
        /// From when the push was sent.
        var fromSending = Samples()
        /// From when the client had the push's answer; below zero where the poll's came first.
        var fromAnswer = Samples()
        /// From when the push was sent to when the client had its answer.
        var toAnswer = Samples()
    }

    let client: ChildProcess
    let database: BenchDatabase
    let accounts: Int
    let scratch: ScratchDirectory

    func wake(count: Int, rate: Double) async throws -> Times {
        let path = scratch.file("wakes")
        let answer = try client.ask("wake \(count) \(rate) \(path)").compactMap { Double($0) }
        guard answer.count == 3, Int(answer[0]) == count, answer[1] == 0 else {
            throw BenchmarkError("of \(count) changes \(answer) were told to their polls")
        }
        let commits = try await database.commitTimes()
        var times = Times()
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").compactMap { Int64($0) }
            guard words.count == 4 else { throw BenchmarkError("a line of the client's times is not one") }
            let (push, sent, answered, woken) = (Int(words[0]), words[1], words[2], words[3])
            let id = Purchases.transactionId(account: push % accounts, number: push / accounts)
            guard let committed = commits[id] else { throw BenchmarkError("an acknowledged push is not in the log") }
            times.fromCommit.add(Double(woken - committed) / 1000)
            times.fromSending.add(Double(woken - sent) / 1000)
            times.fromAnswer.add(Double(woken - answered) / 1000)
            times.toAnswer.add(Double(answered - sent) / 1000)
        }
        return times
    }
}
