import Entitlements
import EventLoop
import Foundation
import Testing

@testable import Service

@Suite struct ProblemTests {
    @Test(arguments: ProblemCode.allCases)
    func everyCodeIsExplained(code: ProblemCode) throws {
        let problem = Problem(code)
        let response = problem.response(requestID: "r1")
        #expect(400...599 ~= response.status)
        let body = try #require(try JSONValue(parsing: response.body).objectValue)
        #expect(body["code"]?.stringValue == code.rawValue)
        #expect(body["status"]?.integerValue == Int64(response.status))
        #expect(body["requestId"]?.stringValue == "r1")
        #expect(body["title"]?.stringValue?.isEmpty == false)
        #expect(body["detail"]?.stringValue?.contains(code.kind.remedy) == true)
        #expect(response.headers.contains(.init("Content-Type", "application/problem+json")))
    }

    @Test func titlesAreAppropriateToOneCode() {
        let titles = ProblemCode.allCases.map(\.kind.title)
        #expect(Set(titles).count == titles.count)
    }

    @Test func headersGoWithTheCode() {
        var problem = Problem(.methodNotAllowed)
        problem.allowedMethods = ["GET", "PUT"]
        #expect(problem.response(requestID: "r").headers.contains(.init("Allow", "GET, PUT")))
        #expect(
            Problem(.rateLimited, retryAfter: 3).response(requestID: "r").headers.contains(.init("Retry-After", "3")))
        #expect(Problem(.expiredToken).response(requestID: "r").headers.contains { $0.name == "WWW-Authenticate" })
    }

    @Test func theGuideIsThatOfTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/problems.md"), encoding: .utf8)
        #expect(page == ProblemGuide.markdown, "docs/problems.md is written from the table in ProblemCode+Kind.swift")
    }
}
