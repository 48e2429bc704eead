/// The parameters of one execution, already in binary form, in one buffer.
public struct PostgresParameters: Sendable {
    struct Slot: Sendable {
        let offset: Int
        /// -1 is NULL.
        let length: Int
    }

    /// Begins with one unused byte, so that even an empty value has an address.
    private(set) var bytes: [UInt8] = [0]
    private(set) var slots: [Slot] = []
    private(set) var types: [PostgresType] = []

    /// No parameters yet. `reservingBytes` saves growing the buffer of a large call.
    public init(reservingBytes capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity + 1) }
    }

    /// The values in order: `PostgresParameters(account, 5 as Int64, nil as String?)`.
    public init(_ values: any PostgresValue...) {
        slots.reserveCapacity(values.count)
        types.reserveCapacity(values.count)
        for value in values { append(value) }
    }

    /// How many there are.
    public var count: Int { slots.count }

    /// Adds the next one.
    public mutating func append<V: PostgresValue>(_ value: V) {
        let offset = bytes.count
        let isPresent = value.encode(into: &bytes)
        slots.append(Slot(offset: offset, length: isPresent ? bytes.count - offset : -1))
        types.append(V.postgresType)
    }
}
