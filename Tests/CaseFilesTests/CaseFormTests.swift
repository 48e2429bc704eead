import CaseFiles
import Entitlements
import Testing

@Suite("The form of case files")
struct CaseFormTests {
    private func complaint(_ text: String) throws -> DocumentError? {
        let defaults = try CaseDefaults.builtIn()
        do throws(DocumentError) {
            _ = try CaseFile(JSONDocument(parsing: text, file: "c.json"), defaults: defaults)
            return nil
        } catch {
            return error
        }
    }

    /// A case of these steps and expectations, each on its own line.
    private func server(_ steps: String, _ expectations: String = #"{"unclaimed": []}"#, more: String = "") -> String {
        "{\"id\": \"T1\",\(more)\n\"steps\": [\n\(steps)],\n\"expect\": [\n\(expectations)]}"
    }

    @Test(
        "A step is refused with its line and place",
        arguments: [
            (#"{"push": {"account": "A1", "transactions": []}}"#, "steps[0]", DocumentError.Code.missingKey),
            (#"{"at": "2026-06-01T10:00:00.000Z"}"#, "steps[0]", .missingKey),
            (#"{"at": 1, "known": {"account": "A1"}, "erase": {"account": "A1"}}"#, "steps[0]", .missingKey),
            (#"{"at": 1, "teleport": {"account": "A1"}}"#, "steps[0].teleport", .unknownKey),
            (#"{"at": "yesterday", "known": {"account": "A1"}}"#, "steps[0].at", .invalidValue),
            (#"{"at": "2026-02-30T10:00:00.000Z", "known": {"account": "A1"}}"#, "steps[0].at", .invalidValue),
            (#"{"at": 1.5, "known": {"account": "A1"}}"#, "steps[0].at", .wrongKind),
            (#"{"at": 1, "known": {"account": "A9"}}"#, "steps[0].known.account", .unknownName),
            (#"{"at": 1, "known": {"account": "A1", "x": 1}}"#, "steps[0].known.x", .unknownKey),
            (#"{"at": 1, "push": {"account": "A1"}}"#, "steps[0].push", .missingKey),
            (
                #"{"at": 1, "push": {"account": "A1", "transactions": [1]}}"#, "steps[0].push.transactions[0]",
                .wrongKind
            ),
            (#"{"at": 1, "push": {"account": "A1", "transactions": {}}}"#, "steps[0].push.transactions", .wrongKind),
            (
                #"{"at": 1, "spend": {"account": "A1", "currency": "coins", "amount": -1, "idempotencyKey": "k"}}"#,
                "steps[0].spend.amount", .outOfRange
            ),
            (
                #"{"at": 1, "spend": {"account": "A1", "currency": "coins", "amount": "1", "idempotencyKey": "k"}}"#,
                "steps[0].spend.amount", .wrongKind
            ),
            (
                #"{"at": 1, "spend": {"account": "A1", "currency": "coins", "amount": 1}}"#, "steps[0].spend",
                .missingKey
            ),
            (#"{"at": 1, "revokeGrant": {"id": "g1"}}"#, "steps[0].revokeGrant.id", .unknownName),
            (
                #"{"at": 1, "grant": {"account": "A1", "entitlement": "pro", "id": "g", "environment": "Moon"}}"#,
                "steps[0].grant.environment", .invalidValue
            ),
        ])
    func steps(step: String, place: String, code: DocumentError.Code) throws {
        let error = try #require(try complaint(server(step)))
        #expect(error.place == place)
        #expect(error.code == code)
        #expect(error.line == 3)
        #expect(error.description.hasPrefix("c.json:3:"))
    }

    @Test("A grant's id is given once")
    func overlappingGrants() throws {
        let grant = #"{"at": 1, "grant": {"account": "A1", "entitlement": "pro", "id": "g"}}"#
        let error = try #require(try complaint(server("\(grant),\n\(grant)")))
        #expect(error.place == "steps[1].grant.id")
        #expect(error.code == .duplicate)
        #expect(error.line == 4)
    }

    @Test(
        "An expectation is refused with its line and place",
        arguments: [
            (#"{"account": "A1", "at": 1}"#, "expect[0]", DocumentError.Code.missingKey),
            (#"{"account": "A1", "active": ["pro"]}"#, "expect[0]", .missingKey),
            (#"{"at": 1, "active": ["pro"]}"#, "expect[0]", .missingKey),
            (#"{"account": "A9", "at": 1, "active": ["pro"]}"#, "expect[0].account", .unknownName),
            (#"{"account": "A1", "at": 1, "activ": ["pro"]}"#, "expect[0].activ", .unknownKey),
            (#"{"account": "A1", "at": 1, "active": ["prp"]}"#, "expect[0].active[0]", .unknownName),
            (#"{"account": "A1", "at": 1, "entries": {"prp": null}}"#, "expect[0].entries.prp", .unknownName),
            (
                #"{"account": "A1", "at": 1, "entries": {"pro": {"status": "active"}}}"#,
                "expect[0].entries.pro.status",
                .unknownKey
            ),
            (
                #"{"account": "A1", "at": 1, "entries": {"pro": {"state": "on"}}}"#, "expect[0].entries.pro.state",
                .invalidValue
            ),
            (#"{"account": "A1", "intervals": {"pro": [[2, 1]]}}"#, "expect[0].intervals.pro[0]", .outOfRange),
            (#"{"account": "A1", "intervals": {"pro": [[1]]}}"#, "expect[0].intervals.pro[0]", .invalidValue),
            (#"{"account": "A1", "balances": {"coins": "100"}}"#, "expect[0].balances.coins", .wrongKind),
            (
                #"{"account": "A1", "environment": "production", "balances": {"coins": 1}}"#, "expect[0].environment",
                .invalidValue
            ),
        ])
    func expectations(expectation: String, place: String, code: DocumentError.Code) throws {
        let error = try #require(try complaint(server("", expectation)))
        #expect(error.place == place)
        #expect(error.code == code)
        #expect(error.line == 5)
    }

    @Test(
        "The rest of a server case",
        arguments: [
            (#"{"id": "T", "steps": []}"#, "", DocumentError.Code.missingKey),
            (#"{"steps": [], "expect": []}"#, "", .missingKey),
            (#"{"id": "T", "steps": [], "expect": [], "stepz": []}"#, "stepz", .unknownKey),
            (#"{"id": "T", "steps": [], "expect": [], "known": ["A7"]}"#, "known[0]", .unknownName),
            (#"{"id": "T", "steps": [], "expect": [], "accounts": {"A1": "1"}}"#, "accounts.A1", .invalidValue),
            (
                #"{"id": "T", "steps": [], "expect": [], "accounts": {"A1": "00000000-0000-0000-0000-000000000000"}}"#,
                "accounts.A1", .invalidValue
            ),
            (
                #"""
                {"id": "T", "steps": [], "expect": [], "accounts": {"A1": "a1a1a1a1-0000-4000-8000-00000000000a",
                 "A2": "A1A1A1A1-0000-4000-8000-00000000000A"}}
                """#, "accounts.A2", .duplicate
            ),
            (
                #"{"id": "T", "steps": [], "expect": [], "catalog": {"products": {"p": {"entitlements": ["a"]}}}}"#,
                "catalog.products.p", .missingKey
            ),
            (#"{"id": "T", "steps": [], "expect": [], "catalog": {"product": {}}}"#, "catalog.product", .unknownKey),
            ("[]", "", .wrongKind), ("{", "", .notJSON),
        ])
    func document(text: String, place: String, code: DocumentError.Code) throws {
        let error = try #require(try complaint(text))
        #expect(error.place == place)
        #expect(error.code == code)
    }

    @Test(
        "A case that would check nothing is refused",
        arguments: [
            (#"{"id": "T", "steps": [], "expect": []}"#, "expect"),
            (#"{"id": "T", "steps": [], "expect": [{"account": "A1", "balances": {}}]}"#, "expect[0]"),
            (
                #"{"id": "T", "steps": [], "expect": [{"account": "A1", "at": 1, "entries": {}, "intervals": {}}]}"#,
                "expect[0]"
            ),
            (#"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "ask"}], "expect": []}"#, "expect"),
            (#"{"id": "T", "clockTrace": [], "expect": [{"step": 0, "answer": "unknown"}]}"#, "expect[0].step"),
        ])
    func checksNothing(text: String, place: String) throws {
        #expect(try #require(try complaint(text)).place == place)
    }

    @Test(
        "A grant that ends before it begins, or begins or ends beyond all times, is refused",
        arguments: [
            (#""from": 1777629600000, "until": 1777629600000"#, "until"),
            (#""from": 1777629600000, "until": 1777629599999"#, "until"), (#""until": 1777629600000"#, "until"),
            (#""until": 5"#, "until"), (#""until": -5"#, "until"), (#""until": 9223372036854775807"#, "until"),
            (#""from": 9223372036854775807"#, "from"), (#""from": 5"#, "from"),
            (#""from": "9999-01-01T00:00:00Z""#, "from"),
        ])
    func grantTimes(times: String, member: String) throws {
        let step = #"{"at": 1777629600000, "grant": {"account": "A1", "entitlement": "pro", "id": "g", \#(times)}}"#
        let error = try #require(try complaint(server(step)))
        #expect(error.place == "steps[0].grant.\(member)")
        #expect(error.code == .outOfRange)
        #expect(error.line == 3)
    }

    @Test("Steps do not go back in time, and no time is before 1970 or behind 9999")
    func stepsGoingBack() throws {
        let steps = ["2026-06-01T10:00:00.000Z", "2026-06-01T10:00:00.000Z", "2026-06-01T09:59:59.999Z"].map {
            #"{"at": "\#($0)", "known": {"account": "A1"}}"#
        }
        let error = try #require(try complaint(server(steps.joined(separator: ",\n"))))
        #expect(error.place == "steps[2].at" && error.line == 5 && error.code == .outOfRange)
        #expect(error.reason.contains("2026-06-01T10:00:00.000Z"))
        #expect(try complaint(server(steps.prefix(2).joined(separator: ","))) == nil)
        for at in ["-1", "9223372036854775807", #""1969-12-31T23:59:59.999Z""#] {
            let error = try #require(try complaint(server(#"{"at": \#(at), "known": {"account": "A1"}}"#)))
            #expect(error.place == "steps[0].at" && error.code == .outOfRange)
        }
        let asked = try #require(try complaint(server("", #"{"account": "A1", "at": -1, "active": []}"#)))
        #expect(asked.place == "expect[0].at")
    }

    @Test(
        "An answer that no step is ever given is refused",
        arguments: [
            (#""push": {"account": "A1", "transactions": []}"#, "recordet"),
            (#""push": {"account": "A1", "transactions": []}"#, "ok"),
            (#""push": {"account": "A1", "transactions": []}"#, "rejected:"),
            (#""notification": {}"#, "rejected:weather"), (#""known": {"account": "A1"}"#, "recorded"),
            (#""spend": {"account": "A1", "currency": "c", "amount": 1, "idempotencyKey": "k"}"#, "insufficient"),
        ])
    func unknownAnswers(action: String, word: String) throws {
        let error = try #require(try complaint(server(#"{"at": 1, \#(action), "answers": ["\#(word)"]}"#)))
        #expect(error.place == "steps[0].answers[0]")
        #expect(error.code == .invalidValue)
    }

    @Test("Every answer that the case format names is understood")
    func knownAnswers() throws {
        let facts = [
            "recorded", "duplicate", "belongsToAnotherAccount", "unclaimed", "rejected:bundleId",
            "rejected:environment",
            "rejected:malformed",
        ].map { #""\#($0)""# }.joined(separator: ",")
        let spend = #"{"account": "A1", "currency": "c", "amount": 1, "idempotencyKey": "k"}"#
        let steps = [
            #"{"at": 1, "restore": {"account": "A1", "transactions": []}, "answers": [\#(facts)]}"#,
            #"{"at": 1, "spend": \#(spend), "answers": ["ok", "insufficientBalance", "idempotencyConflict"]}"#,
        ]
        #expect(try complaint(server(steps.joined(separator: ","))) == nil)
    }

    @Test(
        "What a file lacks is said of its own kind",
        arguments: [
            (#"{"id": "T", "snapshot": {"serverTime": 1, "intervals": []}, "expect": []}"#, "clockTrace"),
            (#"{"id": "T", "policies": {}, "expect": []}"#, "clockTrace"),
            (#"{"id": "T", "catalog": {}, "expect": []}"#, "\"steps\""),
        ])
    func kindsOfCases(text: String, word: String) throws {
        let error = try #require(try complaint(text))
        #expect(error.code == .missingKey && error.place == "")
        #expect(error.reason.contains(word), "\(error.reason)")
    }

    @Test("Odd data inside signed objects is no fault of the file")
    func oddSignedData() throws {
        let step = #"""
            {"at": 1, "push": {"account": "A1", "transactions": [{"purchaseDate": "soon", "x": [null], "type": 7}, {}]}},
            {"at": 2, "notification": {"data": 3}}, {"at": 3, "notification": {}}
            """#
        #expect(try complaint(server(step)) == nil)
    }

    @Test(
        "A client case is refused with its place",
        arguments: [
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "nap"}], "expect": []}"#,
                "clockTrace[0].event"
            ),
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": -1, "event": "ask"}], "expect": []}"#,
                "clockTrace[0].monotonic"
            ),
            (#"{"id": "T", "clockTrace": [{"monotonic": 1, "event": "ask"}], "expect": []}"#, "clockTrace[0]"),
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "ask", "snapshot": {"serverTime": 1, "intervals": []}}], "expect": []}"#,
                "clockTrace[0].snapshot"
            ),
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "ask"}], "expect": [{"step": 1, "answer": "active"}]}"#,
                "expect[0].step"
            ),
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "ask"}], "expect": [{"step": 0, "answer": "no"}]}"#,
                "expect[0].answer"
            ),
            (
                #"{"id": "T", "clockTrace": [{"wall": 1, "monotonic": 1, "event": "ask"}], "expect": [{"step": 0, "answer": "active", "flags": ["old"]}]}"#,
                "expect[0].flags[0]"
            ),
            (
                #"{"id": "T", "clockTrace": [], "snapshot": {"serverTime": 1, "intervals": [[1, 2]], "willRenew": "yes"}, "expect": []}"#,
                "snapshot.willRenew"
            ),
            (
                #"{"id": "T", "clockTrace": [], "policies": {"offlineGrace": "3 days"}, "expect": []}"#,
                "policies.offlineGrace"
            ),
        ])
    func client(text: String, place: String) throws {
        #expect(try #require(try complaint(text)).place == place)
    }
}
