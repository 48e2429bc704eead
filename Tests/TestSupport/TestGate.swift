/// Lets few tests at the database at once: the runner starts all tests together, and hundreds of them on one small machine
/// would only time each other out.
actor TestGate {
    static let databases = TestGate(places: 6)

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
}
