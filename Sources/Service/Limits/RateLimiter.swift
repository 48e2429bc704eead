import Entitlements
import Synchronization

/// A token bucket for each account: bursts are fine, a flood is not.
final class RateLimiter: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Milliseconds
    }

    private let perMillisecond: Double
    private let burst: Double
    private let maximumBuckets: Int
    private let buckets = Mutex<[AccountID: Bucket]>([:])

    init(perSecond: Int, burst: Int, maximumBuckets: Int = 100_000) {
        perMillisecond = Double(perSecond) / 1000
        self.burst = Double(burst)
        self.maximumBuckets = maximumBuckets
    }

    /// Takes one from the account's bucket. Answers nil if there was one, else the seconds until there will be.
    func take(_ account: AccountID, at now: Milliseconds) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[account].map { filled($0, at: now) } ?? Bucket(level: burst, filledAt: now)
            guard bucket.level >= 1 else {
                let wait = (1 - bucket.level) / perMillisecond / 1000
                return max(1, Int(wait.rounded(.up)))
            }
            bucket.level -= 1
            if buckets[account] == nil, buckets.count >= maximumBuckets { forgetFull(&buckets, at: now) }
            buckets[account] = bucket
            return nil
        }
    }

    private func filled(_ bucket: Bucket, at now: Milliseconds) -> Bucket {
        // A clock that was set back gives nothing and takes nothing.
        let elapsed = Double(max(0, now - bucket.filledAt))
        return Bucket(level: min(burst, bucket.level + elapsed * perMillisecond), filledAt: max(now, bucket.filledAt))
    }

    /// A full bucket says nothing that a new one does not. Should none be full, all are forgotten: the limit is there to
    /// hold back floods, not to count exactly.
    private func forgetFull(_ buckets: inout [AccountID: Bucket], at now: Milliseconds) {
        buckets = buckets.filter { filled($0.value, at: now).level < burst }
        if buckets.count >= maximumBuckets { buckets.removeAll(keepingCapacity: true) }
    }
}
