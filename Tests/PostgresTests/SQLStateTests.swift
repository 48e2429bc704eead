import Testing

@testable import Postgres

@Suite struct SQLStateTests {
    @Test func classesMatch() {
        let matches: (SQLState) -> String = { state in
            switch state {
            case .uniqueViolation: "unique"
            case SQLState.Class.integrityConstraintViolation: "integrity"
            case SQLState.Class.transactionRollback: "rollback"
            default: "other"
            }
        }
        #expect(matches(SQLState(rawValue: "23505")) == "unique")
        #expect(matches(SQLState(rawValue: "23P01")) == "integrity")
        #expect(matches(SQLState(rawValue: "40003")) == "rollback")
        #expect(matches(SQLState(rawValue: "")) == "other")
    }

    @Test(arguments: [
        SQLState.serializationFailure, .deadlockDetected, .lockNotAvailable, .queryCanceled, .tooManyConnections,
    ])
    func passingConditionsAreRetryable(state: SQLState) {
        #expect(PostgresError(.server(state), "").isRetryable)
    }

    @Test(arguments: [SQLState.uniqueViolation, .syntaxError, .invalidParameterValue, .undefinedTable])
    func faultsAreNot(state: SQLState) {
        #expect(!PostgresError(.server(state), "").isRetryable)
    }

    @Test func onlyALossLeavesTheOutcomeUnknown() {
        #expect(PostgresError(.connectionLost, "").isOutcomeUnknown)
        for code in [PostgresError.Code.notSent, .timeout, .server(.queryCanceled), .closed] {
            #expect(!PostgresError(code, "").isOutcomeUnknown)
        }
    }
}

@Suite struct FIFOTests {
    @Test func keepsOrderOverManyRounds() {
        var queue = FIFO<Int>()
        var expected = 0
        for number in 0..<10_000 {
            queue.append(number)
            if number % 3 != 0 {
                #expect(queue.popFirst() == expected)
                expected += 1
            }
        }
        #expect(queue.count == 10_000 - expected)
        #expect(queue.first == expected)
        #expect(queue.removeFirst { $0 == 9_000 } == 9_000)
        #expect(queue.removeFirst { $0 == 9_000 } == nil)
        #expect(!queue.contains { $0 == 9_000 })
        #expect(queue.removeAll() == (expected..<10_000).filter { $0 != 9_000 })
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }
}
