import Entitlements

/// What a signed object may be at most. Genuine ones reach 19 kB with 1.5 kB per certificate (signed-data.md section 6.4).
struct SignedDataLimits: Sendable {
    /// Bytes of the whole JWS.
    var bytes = 256 * 1024
    /// Bytes of the header's base64url text.
    var headerBytes = 32 * 1024
    /// Bytes of one certificate's base64 text.
    var certificateBytes = 8 * 1024
    /// Arrays and objects inside each other, in header and payload.
    var depth = 16
}
