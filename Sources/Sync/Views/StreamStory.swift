public import Entitlements

/// A stream as it was stored, in order: what histories, explanations and exports are made from.
public struct StreamStory: Sendable {
    /// Whose stream.
    public var account: AccountID
    /// Its events. The first is the stream's first, or the one behind those that an erasure emptied.
    public var events: [Event] = []
    /// How many an erasure emptied.
    public var erased: Int64 = 0
    /// Signing dates of copies that said nothing new, ascending by the time they came (rules.md R1).
    public var notes: [SigningNote] = []

    /// The number of the last event; 0 when there is none.
    public var version: Int64 { erased + Int64(events.count) }

    /// What happened, event by event.
    public func history(catalogs: CatalogHistory) -> History {
        History(account: account, events: events, after: erased, notes: notes, catalogs: catalogs)
    }

    /// The fold of what is told here.
    public var state: AccountState {
        var state = AccountState(account: account)
        for _ in 0..<erased { state.skipErased() }
        return AccountState.fold(events, notes: notes, onto: state)
    }
}
