public import EventLoop
import Foundation
public import Postgres
import Service

/// The event loop that all database sessions of the tests share.
public let testLoop: EventLoop = {
    do {
        return try EventLoop()
    } catch {
        preconditionFailure("tests need one event loop: \(error)")
    }
}()

/// The same loop, as sessions see it.
public var testReactor: any SocketReactor { testLoop }

/// Runs what blocks on a thread of its own, since the threads that run tests are few.
public func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try body() })
        }
    }
}
