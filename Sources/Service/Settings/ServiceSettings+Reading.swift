import Entitlements

extension ServiceSettings {
    /// Reads settings from the environment and, where that says nothing, from a configuration file's JSON. `name` is that of the
    /// file, for messages.
    /// Throws `settings` with *all* that is wrong, so that one look mends it. No value is repeated in the message, since one
    /// may hold a password.
    public init(
        environment: [String: String], file: [UInt8]? = nil, named name: String = "the configuration file"
    ) throws(ServiceError) {
        var problems: [String] = []
        let members = Self.members(of: file, named: name, problems: &problems)
        var settings = ServiceSettings(databaseURL: "", keysFile: "")
        for entry in Self.entries {
            // Empty counts as not set: compose files pass on variables that nobody has set.
            let variable = environment[entry.variable].flatMap { $0.isEmpty ? nil : $0 }
            guard let text = variable ?? members[entry.member] else {
                if entry.isRequired {
                    problems.append("\(entry.variable) (in a file: \(entry.member)) is not set: \(entry.form)")
                }
                continue
            }
            if !entry.take(text, &settings) {
                let name = variable == nil ? entry.member : entry.variable
                problems.append("\(name) must be \(entry.form)")
            }
        }
        if (settings.tlsCertificate == nil) != (settings.tlsKey == nil) {
            problems.append("ENTITLED_TLS_CERTIFICATE and ENTITLED_TLS_KEY must be set together")
        }
        guard problems.isEmpty else {
            throw ServiceError(.settings, "cannot start:\n  " + problems.joined(separator: "\n  "))
        }
        self = settings
    }

    /// The members of the file as texts; numbers may be written as such.
    private static func members(
        of file: [UInt8]?, named name: String, problems: inout [String]
    ) -> [String: String] {
        guard let file else { return [:] }
        let object: JSONObject
        do {
            guard let value = try JSONValue(parsing: file).objectValue else {
                problems.append("\(name) must hold a JSON object")
                return [:]
            }
            object = value
        } catch {
            problems.append("\(name) is not JSON: \(error)")
            return [:]
        }
        let known = Set(entries.map(\.member))
        var members: [String: String] = [:]
        for member in object.members {
            if !known.contains(member.name) {
                let names = entries.map(\.member).joined(separator: ", ")
                problems.append("\(name) has an unknown member \(member.name); known are \(names)")
            } else if let text = member.value.stringValue ?? member.value.integerValue.map(String.init) {
                members[member.name] = text
            } else {
                problems.append("\(member.name) in \(name) must be a text or a whole number")
            }
        }
        return members
    }
}
