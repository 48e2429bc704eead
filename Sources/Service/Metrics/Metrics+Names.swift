extension Metrics.Event {
    var metricName: String {
        switch self {
        case .signedObjects: "entitled_signed_objects_total"
        case .refusals: "entitled_refused_signed_objects_total"
        case .commands: "entitled_commands_total"
        case .holds: "entitled_holds_ended_total"
        case .wakes: "entitled_wakes_total"
        case .alarms: "entitled_alarms_total"
        }
    }

    var help: String {
        switch self {
        case .signedObjects: "Signed objects by what came of them."
        case .refusals: "Signed objects that were not taken, by the check that failed."
        case .commands: "Commands of accounts and operators by what came of them."
        case .holds: "Held polls by how they ended."
        case .wakes: "What made held polls be looked at."
        case .alarms: "What should never be found."
        }
    }

    var labelName: String {
        switch self {
        case .refusals: "reason"
        case .wakes: "cause"
        default: "outcome"
        }
    }
}

extension Metrics.Measure {
    var metricName: String {
        switch self {
        case .appendEvents: "entitled_append_events"
        case .appendDuration: "entitled_append_duration_seconds"
        }
    }

    var help: String {
        switch self {
        case .appendEvents: "Events of one append."
        case .appendDuration: "Time of one append, its commit included."
        }
    }

    var bounds: [Double] {
        switch self {
        case .appendEvents: [1, 2, 5, 10, 20, 50, 100, 200, 500]
        case .appendDuration: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
        }
    }
}
