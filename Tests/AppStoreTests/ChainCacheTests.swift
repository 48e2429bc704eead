import AppStoreSimulator
import Entitlements
import Signatures
import Testing

@testable import AppStore

@Suite struct ChainCacheTests {
    @Test func aKnownChainIsProvedOnce() throws {
        let authority = try Authority()
        let verifier = authority.verifier
        for _ in 0..<3 {
            let text = try authority.signing.sign(Authority.transaction)
            #expect(verifier.verify(text, as: .transaction, for: Authority.app, now: 0).refusal == nil)
        }
        #expect(verifier.chains.count == 1)
    }

    @Test func aKnownChainIsStillJudgedByDateAndSignature() throws {
        var plan = SigningAuthorityPlan()
        plan.leaf.notAfter = Authority.now + 1000
        let authority = try Authority(plan)
        let verifier = authority.verifier
        func judge(_ payload: JSONObject) throws -> Refusal? {
            try verifier.verify(authority.signing.sign(payload), as: .transaction, for: Authority.app, now: 0).refusal
        }
        #expect(try judge(Authority.transaction) == nil)
        #expect(try judge(Authority.transaction.with("signedDate", .integer(Authority.now + 1000)))?.code == .expired)
        let changed = try authority.signing.sign(Authority.transaction).dropLast(6) + "AAAAAA"
        let refusal = verifier.verify(String(changed), as: .transaction, for: Authority.app, now: 0).refusal
        #expect(refusal?.check == .signature || refusal?.check == .format)
    }

    @Test func whatIsNotProvedIsNotKept() throws {
        let verifier = try Authority().verifier
        let text = try Authority().signing.sign(Authority.transaction)
        #expect(verifier.verify(text, as: .transaction, for: Authority.app, now: 0).refusal?.check == .chain)
        #expect(verifier.chains.count == 0)
    }

    @Test func theOneUnusedForLongestGoes() throws {
        let chains = try (0..<3).map { _ in try provedChain() }
        let cache = ChainCache(capacity: 2)
        cache.insert(chains[0])
        cache.insert(chains[1])
        #expect(cache[chains[0].headerHash] != nil)
        cache.insert(chains[2])
        #expect(cache.count == 2)
        #expect(cache[chains[1].headerHash] == nil)
        #expect(cache[chains[0].headerHash] != nil && cache[chains[2].headerHash] != nil)
        let none = ChainCache(capacity: 0)
        none.insert(chains[0])
        #expect(none.count == 0)
    }

    private func provedChain() throws -> ProvedChain {
        let authority = try Authority()
        let jws = try CompactJWS(authority.signing.sign(Authority.transaction).utf8)
        return try ChainProof(roots: [authority.root], limits: SignedDataLimits())
            .prove(jws, headerHash: SHA256.hash(jws.headerText))
    }
}
