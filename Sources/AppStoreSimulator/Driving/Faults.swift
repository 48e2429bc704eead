import Entitlements

/// What shall go wrong, as `/simulator/faults` reads and writes it. Setting faults replaces all of them.
struct Faults: Sendable, Hashable {
    var delivery = DeliveryFaults()
    var api: APIFault?

    init() {}

    init(_ object: JSONObject) throws(ActRefusal) {
        for member in object.withoutNulls().members {
            switch member.name {
            case "lose": delivery.lose = try Self.probability(member)
            case "double": delivery.double = try Self.probability(member)
            case "corrupt": delivery.corrupt = try Self.probability(member)
            case "reorder": delivery.reorder = try Self.truth(member)
            case "delayMs": delivery.delay = try Self.span(member)
            case "api": api = try Self.fault(member)
            default:
                throw ActRefusal(
                    .malformed, "no fault \"\(member.name)\": there are lose, double, corrupt, reorder, delayMs and api"
                )
            }
        }
    }

    private static func probability(_ member: JSONObject.Member) throws(ActRefusal) -> Double {
        guard let value = member.value.double, 0...1 ~= value else {
            throw ActRefusal(.malformed, "\"\(member.name)\" must be from 0 to 1")
        }
        return value
    }

    private static func truth(_ member: JSONObject.Member) throws(ActRefusal) -> Bool {
        guard let value = member.value.boolValue else {
            throw ActRefusal(.malformed, "\"\(member.name)\" must be true or false")
        }
        return value
    }

    private static func span(_ member: JSONObject.Member) throws(ActRefusal) -> ClosedRange<Milliseconds> {
        guard let ends = member.value.arrayValue?.compactMap(\.integerValue), ends.count == 2,
            0...ends[1] ~= ends[0], ends[1] <= 365 * Time.day
        else { throw ActRefusal(.malformed, "\"delayMs\" must be two numbers of milliseconds, like [0,5000]") }
        return ends[0]...ends[1]
    }

    private static func fault(_ member: JSONObject.Member) throws(ActRefusal) -> APIFault {
        guard let object = member.value.objectValue?.withoutNulls() else {
            throw ActRefusal(.malformed, "\"api\" must be an object")
        }
        var fault = APIFault()
        for member in object.members {
            switch member.name {
            case "kind":
                guard let kind = member.value.stringValue.flatMap(APIFault.Kind.init) else {
                    let kinds = APIFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ActRefusal(.malformed, "\"kind\" must be one of \(kinds)")
                }
                fault.kind = kind
            case "status": fault.status = try integer(member, 400...599)
            case "code": fault.code = try integer(member, 1...9_999_999)
            case "rate": fault.rate = try probability(member)
            case "count": fault.count = try integer(member, 0...1_000_000)
            case "delayMs": fault.delay = try integer(member, 0...3_600_000)
            default:
                throw ActRefusal(
                    .malformed, "no \"\(member.name)\" in api: there are kind, status, code, rate, count, delayMs")
            }
        }
        return fault
    }

    private static func integer(
        _ member: JSONObject.Member, _ range: ClosedRange<Int64>
    ) throws(ActRefusal) -> Int64 {
        guard let value = member.value.integerValue, range ~= value else {
            throw ActRefusal(
                .malformed, "\"\(member.name)\" must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    var json: JSONObject {
        var fields = Fields()
        fields.add("lose", delivery.lose.json)
        fields.add("double", delivery.double.json)
        fields.add("corrupt", delivery.corrupt.json)
        fields.add("reorder", delivery.reorder)
        if let delay = delivery.delay {
            fields.add("delayMs", [.integer(delay.lowerBound), .integer(delay.upperBound)])
        }
        if let api {
            var fault = Fields()
            fault.add("kind", api.kind.rawValue)
            if api.kind == .status { fault.add("status", api.status) }
            fault.add("code", api.code)
            fault.add("rate", api.rate.json)
            fault.add("count", api.count)
            fault.add("delayMs", api.delay)
            fields.add("api", .object(fault.object))
        }
        return fields.object
    }
}
