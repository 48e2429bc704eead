/// A value that belongs to one loop and is carried across threads without being touched there.
///
/// `@unchecked` is safe because the only way to the value checks that it is used on its loop's thread.
struct LoopBound<Value>: @unchecked Sendable {
    let loop: EventLoop
    private let value: Value

    init(_ value: Value, loop: EventLoop) {
        self.loop = loop
        self.value = value
    }

    /// The value; a programming error off the loop.
    var onLoop: Value {
        precondition(loop.isOnLoop, "this value may only be used on its event loop")
        return value
    }
}
