extension FixedWidthInteger {
    /// A number written in ASCII digits and nothing else; `init(_:)` would take a sign in front, too. Nil for any other text
    /// and for what does not fit.
    public init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}
