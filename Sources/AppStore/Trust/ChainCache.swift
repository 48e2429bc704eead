import Signatures
import Synchronization

/// The chains proved so far, by the hash of the header they came in. Apple signs months of data under one chain, so that
/// nearly every object finds its chain here and costs a single P-256 verification. Only proved chains get in, so nobody
/// can fill it with rubbish; beyond its capacity the one unused for longest goes.
final class ChainCache: Sendable {
    private struct Entry {
        let chain: ProvedChain
        var lastUse: UInt64
    }

    private struct State {
        var entries: [SHA256.Digest: Entry] = [:]
        var uses: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { state.withLock { $0.entries.count } }

    subscript(headerHash: SHA256.Digest) -> ProvedChain? {
        state.withLock { state in
            guard let entry = state.entries[headerHash] else { return nil }
            state.uses += 1
            state.entries[headerHash]?.lastUse = state.uses
            return entry.chain
        }
    }

    func insert(_ chain: ProvedChain) {
        guard capacity > 0 else { return }
        state.withLock { state in
            if state.entries.count >= capacity, state.entries[chain.headerHash] == nil,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                state.entries[oldest] = nil
            }
            state.uses += 1
            state.entries[chain.headerHash] = Entry(chain: chain, lastUse: state.uses)
        }
    }
}
