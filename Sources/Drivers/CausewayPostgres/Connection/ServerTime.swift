import CausewayDatabase
import Foundation

/// The texts of the server's types for times, in the style `ISO`.
enum ServerTime {
  /// Whether the server stores a date in this type.
  static func isTime(_ type: UInt32) -> Bool { [1082, 1114, 1184].contains(type) }

  /// The days from 1 January 1970 to 1 January 2001.
  private static let daysTo2001 = 11_323
  /// The days that the server can store, counted from 1970; the first day is in 4714 BC.
  private static let days = -2_440_588..<106_762_940

  /// Returns the text of a date in UTC, rounded to microseconds.
  static func text(of date: Date) throws(PersistenceError) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    let wholeDays = (seconds / 86_400).rounded(.down)
    let microseconds = ((seconds - wholeDays * 86_400) * 1_000_000).rounded()
    guard let days = Int(exactly: wholeDays), days.magnitude < 1 << 40,
      var time = Int(exactly: microseconds)
    else { throw outOfRange }
    var day = days + daysTo2001
    if time >= 86_400_000_000 {
      day += 1
      time = 0
    }
    guard Self.days.contains(day) else { throw outOfRange }
    let (year, month, dayOfMonth) = civil(day)
    let isBeforeChrist = year <= 0
    let parts = [
      "\(padded(isBeforeChrist ? 1 - year : year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))",
      "\(padded(time / 3_600_000_000, 2)):\(padded(time / 60_000_000 % 60, 2)):"
        + "\(padded(time / 1_000_000 % 60, 2)).\(padded(time % 1_000_000, 6))+00",
    ]
    return (parts + (isBeforeChrist ? ["BC"] : [])).joined(separator: " ")
  }

  /// Reads a text such as `2001-02-03 04:05:06.789+01:30 BC`; without an offset, it is in UTC.
  ///
  /// Returns `nil` for anything else, such as `infinity`.
  static func date(_ text: String) -> Date? {
    var words = text.split(separator: " ")
    let isBeforeChrist = words.last == "BC"
    if isBeforeChrist { words.removeLast() }
    guard (1...2).contains(words.count) else { return nil }
    let date = words[0].split(separator: "-").map { Int($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else {
      return nil
    }
    var (seconds, fraction) = (0, 0.0)
    if words.count == 2 {
      let sign = words[1].firstIndex { $0 == "+" || $0 == "-" } ?? words[1].endIndex
      let clock = words[1][..<sign].split(separator: ".")
      guard let time = secondsOfDay(clock.first ?? "") else { return nil }
      seconds = time
      if clock.count == 2 {
        guard let part = Double("0.\(clock[1])") else { return nil }
        fraction = part
      }
      if sign < words[1].endIndex {
        guard let offset = secondsOfDay(words[1][sign...].dropFirst()) else { return nil }
        seconds -= words[1][sign] == "-" ? -offset : offset
      }
    }
    let days = days(year: isBeforeChrist ? 1 - year : year, month, day) - daysTo2001
    return Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + seconds) + fraction)
  }

  /// Reads hours, minutes and seconds; the last two may be absent.
  private static func secondsOfDay(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
    return zip(parts, [3_600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  // The calendar repeats every 400 years, an era of 146,097 days. An era begins on 1 March, so the
  // leap day is the last day of its year.

  /// Returns the date of a day since 1 January 1970.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Returns the days since 1 January 1970.
  private static func days(year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static var outOfRange: PersistenceError {
    PersistenceError(.encoding, message: "PostgreSQL cannot store a date this far away in a time")
  }
}
