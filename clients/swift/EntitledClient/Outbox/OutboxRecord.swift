import Entitlements
import Signatures

/// A signed object handed over by the app.
struct OutboxItem: Sendable, Hashable {
    enum Kind: String, Sendable {
        case transaction, renewalInfo
    }

    /// SHA-256 of the object in hexadecimal: the same object is kept once.
    let id: String
    let kind: Kind
    let signed: String

    init(_ kind: Kind, _ signed: String) {
        id = SHA256.hash(Array(signed.utf8)).description
        self.kind = kind
        self.signed = signed
    }
}

/// One line of the outbox file: `sum SP json LF`, `sum` being the first 16 hexadecimal digits of the SHA-256 of the JSON. So
/// a line is whole or it is not there, whatever the disk made of a write that was cut off.
enum OutboxRecord: Hashable {
    /// The app handed something over while this account was signed in.
    case added(OutboxItem, account: AccountID)
    /// The service has answered it for good.
    case done(id: String)

    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .added(let item, let account):
                writer.member("kind", item.kind.rawValue)
                writer.member("account", account.description)
                writer.member("signed", item.signed)
            case .done(let id):
                writer.member("done", id)
            }
        }
        return Array(Self.sum(of: writer.bytes).utf8) + [UInt8(ascii: " ")] + writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its end; nil when it is damaged.
    init?(line: ArraySlice<UInt8>) {
        guard line.count > 17, line[line.startIndex + 16] == UInt8(ascii: " ") else { return nil }
        let json = Array(line.dropFirst(17))
        guard Self.sum(of: json).utf8.elementsEqual(line.prefix(16)),
            let object = (try? JSONValue(parsing: json))?.objectValue
        else { return nil }
        if let id = object["done"]?.stringValue {
            self = .done(id: id)
            return
        }
        guard let kind = object["kind"]?.stringValue.flatMap(OutboxItem.Kind.init),
            let account = object["account"]?.stringValue.flatMap(AccountID.init),
            let signed = object["signed"]?.stringValue
        else { return nil }
        self = .added(OutboxItem(kind, signed), account: account)
    }

    private static func sum(of json: [UInt8]) -> String { String(SHA256.hash(json).description.prefix(16)) }
}
