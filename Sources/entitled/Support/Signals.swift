import Dispatch
import Foundation

/// Waits for the signals that ask a program to end.
struct Signals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// From now on SIGINT and SIGTERM are told here instead of ending the program. A second one ends it at once.
    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// Returns when the first signal comes.
    func wait() async {
        for await _ in stream { return }
    }
}
