import Foundation

/// The C programs that we measure ourselves against, compiled when they are needed.
struct Yardsticks {
    /// One of them.
    enum Program: String {
        /// ES256 with OpenSSL.
        case es256
        /// An HTTP server with evhttp.
        case http
        /// A bare insert of rows with libpq.
        case insert
        /// Sends requests.
        case load
        /// Holds polls.
        case hold

        var source: [UInt8] {
            switch self {
            case .es256: PackageResources.es256_c
            case .http: PackageResources.http_c
            case .insert: PackageResources.insert_c
            case .load: PackageResources.load_c
            case .hold: PackageResources.hold_c
            }
        }

        /// What pkg-config calls the libraries.
        var libraries: [String] {
            switch self {
            case .es256: ["libcrypto"]
            case .http: ["libevent"]
            case .insert: ["libpq"]
            case .load, .hold: []
            }
        }
    }

    let scratch: ScratchDirectory

    /// Compiles a program and starts it.
    func start(_ program: Program, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess([try compiled(program)] + arguments)
    }

    private func compiled(_ program: Program) throws -> String {
        let path = scratch.file(program.rawValue)
        if FileManager.default.fileExists(atPath: path) { return path }
        try scratch.write(PackageResources.http_client_h, to: "http_client.h")
        let source = try scratch.write(program.source, to: "\(program.rawValue).c")
        var flags: [String] = []
        if !program.libraries.isEmpty {
            let text = try ChildProcess.output(of: ["pkg-config", "--cflags", "--libs"] + program.libraries)
            flags = text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        do { try ChildProcess.output(of: ["cc", "-O2", "-o", path, source] + flags) } catch {
            throw BenchmarkError(
                "the yardstick \(program.rawValue).c cannot be compiled; a C compiler named cc is needed (apt install gcc)"
                    + "\n\(error)")
        }
        return path
    }
}
