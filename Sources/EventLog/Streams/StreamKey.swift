public import Entitlements
import FoundationEssentials
import Signatures

/// What a stream is about. A lineage that nobody owns and the app itself have streams too, under derived accounts.
public struct StreamKey: Sendable, Hashable {
    /// The app's number in the log.
    public var app: Int16
    /// The environment; production for the app's own stream.
    public var environment: Environment
    /// The account, or the derived one.
    public var account: AccountID

    /// A key.
    public init(app: Int16, environment: Environment, account: AccountID) {
        self.app = app
        self.environment = environment
        self.account = account
    }

    /// The key of a stream as decisions name it.
    public init(app: Int16, _ stream: StreamRef) {
        switch stream {
        case .account(let environment, let account):
            self.init(app: app, environment: environment, account: account)
        case .lineage(let environment, let lineage):
            self.init(app: app, environment: environment, account: .stream(of: LineageRef(environment, lineage)))
        case .app:
            self.init(app: app, environment: .production, account: .appStream)
        }
    }

    /// The stream's id.
    public var id: StreamID {
        var fields = HashedFields(of: "entitled stream 1")
        fields.append(withUnsafeBytes(of: app.bigEndian) { Array($0) })
        fields.append(environment.rawValue)
        fields.append(account.bytes)
        return StreamID(UUID(prefixOf: fields.digest))
    }
}

/// A lineage of an app.
public struct LineageKey: Sendable, Hashable {
    /// The app's number in the log.
    public var app: Int16
    /// The lineage.
    public var lineage: LineageRef

    /// A key.
    public init(app: Int16, _ lineage: LineageRef) {
        self.app = app
        self.lineage = lineage
    }
}

/// An account of an app.
public struct AccountKey: Sendable, Hashable {
    /// The app's number in the log.
    public var app: Int16
    /// The account.
    public var account: AccountID

    /// A key.
    public init(app: Int16, _ account: AccountID) {
        self.app = app
        self.account = account
    }
}

extension AccountID {
    /// Stands for a lineage in the key of its own stream.
    static func stream(of lineage: LineageRef) -> AccountID {
        var fields = HashedFields(of: "entitled lineage 1")
        fields.append(lineage.environment.rawValue)
        fields.append(lineage.id)
        return AccountID(derivedFrom: fields)
    }

    /// Stands for the app in the key of its own stream.
    static let appStream = AccountID(derivedFrom: HashedFields(of: "entitled app 1"))

    /// A UUID of version 8: no account's, since those are refused (`isReserved`).
    private init(derivedFrom fields: HashedFields) {
        var bytes = UUID(prefixOf: fields.digest).uuid
        bytes.6 = bytes.6 & 0x0F | 0x80
        bytes.8 = bytes.8 & 0x3F | 0x80
        self.init(UUID(uuid: bytes))
    }

    var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}

extension Environment {
    /// Its number in the log.
    var number: Int16 {
        get throws(EventLogError) {
            guard let index = Self.known.firstIndex(of: self) else {
                throw EventLogError(.unknownEnvironment, "environment \(rawValue) is none of Apple's")
            }
            return Int16(index)
        }
    }

    init(number: Int16) throws(EventLogError) {
        guard Self.known.indices.contains(Int(number)) else {
            throw EventLogError(.corruptLog, "environment number \(number) in the log")
        }
        self = Self.known[Int(number)]
    }
}
