import Entitlements
import Foundation
import Testing

@testable import Service

@Suite struct LimitTests {
    private let account = AccountID(UUID())

    @Test func aBurstPassesAndAFloodWaits() {
        let limiter = RateLimiter(perSecond: 2, burst: 5)
        for _ in 0..<5 { #expect(limiter.take(account, at: 0) == nil) }
        #expect(limiter.take(account, at: 0) == 1)
        #expect(limiter.take(AccountID(UUID()), at: 0) == nil)
        #expect(limiter.take(account, at: 499) == 1)
        #expect(limiter.take(account, at: 500) == nil)
        #expect(limiter.take(account, at: 500) == 1)
        for _ in 0..<5 { #expect(limiter.take(account, at: 1_000_000) == nil) }
        #expect(limiter.take(account, at: 1_000_000) == 1)
    }

    @Test func aSlowRateTellsHowLongToWait() {
        let limiter = RateLimiter(perSecond: 1, burst: 1)
        #expect(limiter.take(account, at: 10_000) == nil)
        #expect(limiter.take(account, at: 9_000) == 1, "a clock set back gives nothing")
    }

    @Test func accountsAreForgottenBeforeMemoryIs() {
        let limiter = RateLimiter(perSecond: 1, burst: 2, maximumBuckets: 10)
        for index in 0..<1000 { #expect(limiter.take(AccountID(UUID()), at: Int64(index)) == nil) }
    }

    @Test func admissionRefusesWhatIsTooMuch() throws {
        let admission = Admission(limit: 2)
        try admission.enter()
        try admission.enter()
        #expect { try admission.enter() } throws: { error in
            guard let problem = error as? Problem, let wait = problem.retryAfter else { return false }
            return problem.code == .overloaded && 5...30 ~= wait
        }
        admission.leave()
        try admission.enter()
        #expect(admission.inFlight == 2)
    }
}
