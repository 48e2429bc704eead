/// The object id of a built-in type. Unknown ids survive as they are.
public struct PostgresType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The object id in `pg_type`.
    public let rawValue: UInt32

    /// Takes an object id.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// bool
    public static let bool = PostgresType(rawValue: 16)
    /// bytea
    public static let bytea = PostgresType(rawValue: 17)
    /// name: identifiers in the catalog
    public static let name = PostgresType(rawValue: 19)
    /// int8
    public static let int8 = PostgresType(rawValue: 20)
    /// int2
    public static let int2 = PostgresType(rawValue: 21)
    /// int4
    public static let int4 = PostgresType(rawValue: 23)
    /// text
    public static let text = PostgresType(rawValue: 25)
    /// oid
    public static let oid = PostgresType(rawValue: 26)
    /// json
    public static let json = PostgresType(rawValue: 114)
    /// An untyped literal
    public static let unknown = PostgresType(rawValue: 705)
    /// char(n)
    public static let bpchar = PostgresType(rawValue: 1042)
    /// varchar
    public static let varchar = PostgresType(rawValue: 1043)
    /// timestamptz
    public static let timestamptz = PostgresType(rawValue: 1184)
    /// uuid
    public static let uuid = PostgresType(rawValue: 2950)
    /// bool[]
    public static let boolArray = PostgresType(rawValue: 1000)
    /// bytea[]
    public static let byteaArray = PostgresType(rawValue: 1001)
    /// int2[]
    public static let int2Array = PostgresType(rawValue: 1005)
    /// int4[]
    public static let int4Array = PostgresType(rawValue: 1007)
    /// text[]
    public static let textArray = PostgresType(rawValue: 1009)
    /// int8[]
    public static let int8Array = PostgresType(rawValue: 1016)
    /// timestamptz[]
    public static let timestamptzArray = PostgresType(rawValue: 1185)
    /// uuid[]
    public static let uuidArray = PostgresType(rawValue: 2951)

    private static let names: [PostgresType: String] = [
        .bool: "bool", .bytea: "bytea", .name: "name", .int8: "int8", .int2: "int2", .int4: "int4", .text: "text",
        .oid: "oid", .json: "json", .unknown: "unknown", .bpchar: "bpchar", .varchar: "varchar",
        .timestamptz: "timestamptz", .uuid: "uuid", .boolArray: "bool[]", .byteaArray: "bytea[]",
        .int2Array: "int2[]", .int4Array: "int4[]", .textArray: "text[]", .int8Array: "int8[]",
        .timestamptzArray: "timestamptz[]", .uuidArray: "uuid[]",
    ]

    /// The type's name, or its object id if it is not one of those above.
    public var description: String { Self.names[self] ?? "type \(rawValue)" }
}
