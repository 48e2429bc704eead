import Entitlements
import Signatures
import Synchronization

/// Remembers which tokens were verified, so that a device that polls with one token costs one signature check.
///
/// Keeps hashes, never tokens. Bounded: when the younger half is full it becomes the older one, which is dropped.
final class TokenCache: Sendable {
    private struct Halves {
        var younger: [SHA256.Digest: AccessToken] = [:]
        var older: [SHA256.Digest: AccessToken] = [:]
    }

    private let verifier: TokenVerifier
    private let halves = Mutex(Halves())
    private let capacity: Int

    init(_ verifier: TokenVerifier, capacity: Int = 32_768) {
        self.verifier = verifier
        self.capacity = capacity
    }

    /// What the token says, as ``TokenVerifier/verify(_:at:)``.
    func verify(_ text: String, at now: Milliseconds) throws(TokenRefusal) -> AccessToken {
        let digest = SHA256.hash(Array(text.utf8))
        if let known = halves.withLock({ $0.younger[digest] ?? $0.older[digest] }) {
            try TokenVerifier.checkTime(known, at: now)
            return known
        }
        let token = try verifier.verify(text, at: now)
        halves.withLock { halves in
            if halves.younger.count >= capacity / 2 {
                halves.older = halves.younger
                halves.younger = [:]
            }
            halves.younger[digest] = token
        }
        return token
    }
}
