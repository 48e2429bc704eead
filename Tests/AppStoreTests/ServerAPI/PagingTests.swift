import AppStore
import Testing

@Suite struct PagingTests {
    @Test func pagesFollowEachOtherToTheLast() {
        var paging = Paging(maximumPages: 10)
        #expect(paging.took(items: 20, token: "a", hasMore: true) == .next(token: "a"))
        #expect(paging.took(items: 20, token: "b", hasMore: true) == .next(token: "b"))
        #expect(paging.took(items: 3, token: "c", hasMore: false) == .finished(token: "c"))
    }

    @Test func nothingNewKeepsTheOldToken() {
        var paging = Paging(after: "old", maximumPages: 10)
        #expect(paging.took(items: 0, token: nil, hasMore: false) == .finished(token: "old"))
    }

    @Test func aTokenThatComesAgainEndsIt() {
        var paging = Paging(after: "old", maximumPages: 10)
        #expect(paging.took(items: 20, token: "a", hasMore: true) == .next(token: "a"))
        #expect(paging.took(items: 20, token: "old", hasMore: true) == .stopped(.repeatedToken, token: "a"))
        var stuck = Paging(maximumPages: 10)
        _ = stuck.took(items: 20, token: "a", hasMore: true)
        #expect(stuck.took(items: 20, token: "a", hasMore: true) == .stopped(.repeatedToken, token: "a"))
    }

    @Test func morePromisedForEverEnds() {
        var full = Paging(maximumPages: 100)
        var pages = 0
        var last: Paging.Step
        repeat {
            pages += 1
            last = full.took(items: 20, token: "t\(pages)", hasMore: true)
        } while last == .next(token: "t\(pages)") && pages < 1000
        #expect(last == .stopped(.tooManyPages, token: "t100"))

        var empty = Paging(maximumPages: 100)
        pages = 0
        repeat {
            pages += 1
            last = empty.took(items: 0, token: "t\(pages)", hasMore: true)
        } while last == .next(token: "t\(pages)") && pages < 1000
        #expect(last == .stopped(.emptyPages, token: "t6"))
    }

    @Test func moreWithoutATokenEnds() {
        var paging = Paging(after: "old", maximumPages: 10)
        #expect(paging.took(items: 20, token: nil, hasMore: true) == .stopped(.noToken, token: "old"))
    }
}
