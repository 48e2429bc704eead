import Entitlements
import Service

/// `entitled keys`: the keys that the service signs with.
struct Keys: Command {
    static let name = "keys"
    static let summary = "make, list and remove the service's keys"
    static let help = """
        Usage: entitled keys list|new|new-cursor|remove KID [options]

        new         makes a signing key; the present one signs no more, and what it signed is accepted until it ends.
                    Makes the file if there is none.
        new-cursor  makes a key for cursors and keeps the one before it
        remove      takes a key out: nothing that it signed is accepted any more
        The service reads the file at its start.

          --file FILE          the key file; otherwise that of ENTITLED_KEYS_FILE
          --state DIR          the key file of `entitled dev` in this directory
          --json               the public keys as a JWK set

        Example: entitled keys new --file /etc/entitled/keys.json
        """

    private enum Act {
        case list, new, newCursor
        case remove(String)
    }

    private let act: Act
    private let file: KeyFile
    private let wantsJSON: Bool

    init(_ arguments: inout Arguments) throws {
        file = try KeyLocation.file(&arguments)
        wantsJSON = arguments.flag("--json")
        switch try arguments.rest() {
        case ["list"]: act = .list
        case ["new"]: act = .new
        case ["new-cursor"]: act = .newCursor
        case let words where words.count == 2 && words[0] == "remove": act = .remove(words[1])
        default: throw Arguments.UsageError("say list, new, new-cursor or remove KID")
        }
    }

    func run() throws -> ExitStatus {
        let now = SystemClock().now()
        var keys: ServiceKeys
        switch act {
        case .new where !file.exists: keys = try ServiceKeys.generate(at: now)
        default:
            keys = try file.read()
            switch act {
            case .list: break
            case .new: try keys.addSigningKey(at: now)
            case .newCursor: try keys.addCursorKey(at: now)
            case .remove(let kid): try keys.remove(kid: kid)
            }
        }
        if case .list = act {} else { try file.write(keys) }
        show(keys)
        return .done
    }

    private func show(_ keys: ServiceKeys) {
        if wantsJSON { return print(keys.jwks.text) }
        for key in keys.signing { print("\(key.kid)  EdDSA  \(key.status.rawValue)  made \(key.created)") }
        for key in keys.verification {
            let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: ",")
            print("\(key.kid)  ES256  accepted for \(scopes) of \(key.app ?? "every app")")
        }
        for key in keys.cursor { print("cursor key \(key.id)  made \(key.created)") }
    }
}
