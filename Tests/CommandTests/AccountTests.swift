import Testing

@testable import entitled

/// What `entitled account` understands.
@Suite struct AccountTests {
    private static let account = "a1a1a1a1-0000-4000-8000-00000000000a"

    private func parse(_ words: String...) throws {
        var arguments = Arguments(words)
        _ = try Account(&arguments)
    }

    @Test func everyActIsUnderstood() throws {
        try parse("show", Self.account, "--at", "2026-06-01T10:00:00.000Z", "--known-at", "1780308000000")
        try parse("explain", Self.account, "--entitlement", "pro", "--json", "--environment", "Sandbox")
        try parse("history", Self.account, "--app", "com.example.app")
        try parse("export", Self.account)
        try parse("grant", Self.account, "--entitlement", "pro", "--until", "2099-01-01T00:00:00Z")
        try parse("revoke-grant", Self.account, "--id", "g1")
        try parse("transfer", Self.account, "--original-transaction-id", "1")
        try parse("erase", Self.account)
        try parse("token", Self.account, "--ttl", "7d", "--file", "keys.json")
    }

    @Test func wrongUsage() {
        #expect(throws: Arguments.UsageError.self) { try parse("show") }
        #expect(throws: Arguments.UsageError.self) { try parse("praise", Self.account) }
        #expect(throws: Arguments.UsageError.self) { try parse("show", "somebody") }
        #expect(throws: Arguments.UsageError.self) { try parse("show", Self.account, "--at", "yesterday") }
        #expect(throws: Arguments.UsageError.self) { try parse("show", Self.account, "--reason", "none") }
        #expect(throws: Arguments.UsageError.self) { try parse("grant", Self.account) }
        #expect(throws: Arguments.UsageError.self) {
            try parse("grant", Self.account, "--entitlement", "pro", "--from", "2", "--until", "1")
        }
        for time in ["+5", "-5", "9223372036854775807"] {
            #expect(throws: Arguments.UsageError.self) { try parse("show", Self.account, "--at", time) }
        }
        #expect(throws: Arguments.UsageError.self) {
            try parse("grant", Self.account, "--entitlement", "pro", "--from", "2")
        }
        let long = String(repeating: "k", count: 129)
        #expect(throws: Arguments.UsageError.self) {
            try parse("spend", Self.account, "--currency", "coins", "--amount", "1", "--key", long)
        }
        #expect(throws: Arguments.UsageError.self) { try parse("show", "410385e3-a2a0-819e-9e56-02c2dfb8cf8b") }
        #expect(throws: Arguments.UsageError.self) { try parse("token", Self.account, "--ttl", "long", "--file", "k") }
    }
}
