/// An ISO 8601 duration of years, months, weeks, days and a time part. Days are 24 hours; years and months are steps of the
/// UTC calendar, and a day that the month lacks is its last day (rules.md R2).
public struct CalendarDuration: Sendable, Hashable {
    /// Calendar months, years included.
    public var months: Int64
    /// The rest, in milliseconds.
    public var milliseconds: Milliseconds

    /// A duration of calendar months and a fixed rest.
    public init(months: Int64 = 0, milliseconds: Milliseconds = 0) {
        self.months = months
        self.milliseconds = milliseconds
    }

    /// The instant that lies `count` durations after `start`, as one step; never beyond `Time.latest`.
    public func end(from start: Milliseconds, count: Int64) -> Milliseconds {
        guard count > 0 else { return start }
        let (months, monthsOverflow) = self.months.multipliedReportingOverflow(by: count)
        let (rest, restOverflow) = milliseconds.multipliedReportingOverflow(by: count)
        // More months than fit before the latest instant.
        guard !monthsOverflow, !restOverflow, months < 12 * 9000 else { return Time.latest }
        let (end, overflow) = CivilDate.adding(months: months, to: start).addingReportingOverflow(rest)
        return overflow ? Time.latest : min(end, Time.latest)
    }
}

/// The proleptic Gregorian calendar in UTC.
enum CivilDate {
    static func adding(months: Int64, to instant: Milliseconds) -> Milliseconds {
        guard months != 0 else { return instant }
        let day = Int64((Double(instant) / Double(Time.day)).rounded(.down))
        let timeOfDay = instant - day * Time.day
        let date = date(ofDay: day)
        let month = date.year * 12 + date.month - 1 + months
        let year = month / 12
        let monthOfYear = month % 12 + 1
        let dayOfMonth = min(date.day, length(ofMonth: monthOfYear, year: year))
        return self.day(year: year, month: monthOfYear, day: dayOfMonth) * Time.day + timeOfDay
    }

    static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 of a date; years begin in March so that the leap day is the last.
    static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
