/// Lanes: the log's 1024 independent orders. A stream is in one lane for ever.
public enum Lane {
    /// How many there are. It can never change: it is part of every key.
    public static let count = 1024

    /// The lanes of one of several writers: ranges of equal size, together all lanes.
    public static func range(ofWriter writer: Int, of writers: Int) -> Range<Int16> {
        Int16(writer * count / writers)..<Int16((writer + 1) * count / writers)
    }
}
