public import Foundation
import HarborDomain

/// Formats dates, counts and events of the board as English texts.
///
/// It does not read the machine's clock or locale. With the same time zone, the same input gives
/// the same text on every machine.
public struct BoardWording: Sendable {
  /// The time zone, which decides the day of a date.
  public let timeZone: TimeZone
  private let calendar: Calendar
  private let locale = Locale(identifier: "en_GB")

  /// Makes texts for people in this time zone.
  public init(timeZone: TimeZone = .current) {
    self.timeZone = timeZone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    calendar.locale = locale
    self.calendar = calendar
  }

  /// The end, such as `until 20:00`, with the date if it is on another day; empty without an end.
  func until(_ details: ActivityDetails, at now: Date) -> String {
    guard let end = details.end else { return "" }
    let isSameDay = calendar.isDate(end, inSameDayAs: details.start)
    return "until \(isSameDay ? "" : "\(dayDate(end, at: now)), ")\(time(end))"
  }

  /// The time of day, such as `18:30`.
  func time(_ date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return "\(twoDigits(parts.hour)):\(twoDigits(parts.minute))"
  }

  /// The key of the day, such as `2026-05-01`.
  func dayKey(_ date: Date) -> String { String(fieldValue(date).prefix(10)) }

  /// The name of a day as seen from `now`: `Today`, `Tomorrow`, `Yesterday`, or its weekday.
  func dayName(_ date: Date, at now: Date) -> String {
    switch days(from: now, to: date) {
    case 0: "Today"
    case 1: "Tomorrow"
    case -1: "Yesterday"
    default: formatted(date, Date.FormatStyle().weekday(.wide))
    }
  }

  /// The date of a day, such as `21 November`.
  ///
  /// It has the year if it is not the current year. It has the weekday unless ``dayName(_:at:)`` is
  /// the weekday.
  func dayDate(_ date: Date, at now: Date) -> String {
    let sameYear =
      calendar.component(.year, from: date) == calendar.component(.year, from: now)
    let style = Date.FormatStyle().day().month(.wide)
    let text = formatted(date, sameYear ? style : style.year())
    guard abs(days(from: now, to: date)) < 2 else { return text }
    return "\(formatted(date, Date.FormatStyle().weekday(.wide))) \(text)"
  }

  /// The time until the start: `in 25 minutes`, `tomorrow`, `in 3 days`, `under way`, `over`.
  func distance(_ details: ActivityDetails, at now: Date) -> String {
    if details.isOver(at: now) { return "over" }
    let start = details.start
    let seconds = start.timeIntervalSince(now)
    if seconds <= 0 { return "under way" }
    let minutes = Int(exactly: (seconds / 60).rounded(.up)) ?? .max
    if minutes < 60 { return "in \(count(minutes, "minute"))" }
    let days = days(from: now, to: start)
    if seconds < 20 * 3_600 || days == 0 {
      return "in \(count(Int(exactly: (seconds / 3_600).rounded()) ?? .max, "hour"))"
    }
    if days == 1 { return "tomorrow" }
    return days < 14 ? "in \(count(days, "day"))" : "in \(count(days / 7, "week"))"
  }

  /// A count with its noun: `1 activity`, `4 activities`.
  func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A list of names: `Ana`, `Ana and Ben`, `Ana, Ben and Cora`.
  func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private func days(from now: Date, to date: Date) -> Int {
    calendar.dateComponents(
      [.day], from: calendar.startOfDay(for: now), to: calendar.startOfDay(for: date)
    ).day ?? 0
  }

  private func formatted(_ date: Date, _ style: Date.FormatStyle) -> String {
    var style = style
    style.calendar = calendar
    style.timeZone = timeZone
    style.locale = locale
    return date.formatted(style)
  }
}

/// The texts that date fields of a page read and write.
extension BoardWording {
  /// A date for a date field, such as `2026-05-01T18:30`.
  func fieldValue(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    let year = String(parts.year ?? 0)
    let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
    return "\(padded)-\(twoDigits(parts.month))-\(twoDigits(parts.day))"
      + "T\(twoDigits(parts.hour)):\(twoDigits(parts.minute))"
  }

  /// The date of a date field's text, or `nil` if there is no such date, such as the 31st of June.
  func date(fromField text: String) -> Date? {
    // `\d` would match the digits of all scripts, which `Int` does not read.
    let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(:[0-9]{2}(\.[0-9]+)?)?/
    guard let match = text.wholeMatch(of: form)
    else { return nil }
    let parts = DateComponents(
      year: Int(match.1), month: Int(match.2), day: Int(match.3), hour: Int(match.4),
      minute: Int(match.5))
    guard parts.isValidDay(in: calendar), let hour = parts.hour, let minute = parts.minute,
      (0...23).contains(hour), (0...59).contains(minute)
    else { return nil }
    return calendar.date(from: parts)
  }

  /// The first moment of a day, such as `2027-03-05`; `nil` if there is no such day.
  func start(of day: String) -> Date? {
    // The first hour of a day can be missing.
    date(fromField: "\(day)T12:00").map { calendar.startOfDay(for: $0) }
  }

  /// The form with the current details of an activity.
  func form(_ details: ActivityDetails) -> ActivityForm {
    ActivityForm(
      title: details.title, place: details.place ?? "", notes: details.notes ?? "",
      start: fieldValue(details.start), end: details.end.map(fieldValue) ?? "")
  }

  /// The form for a new activity: empty, for tomorrow evening.
  func emptyForm(at now: Date) -> ActivityForm {
    let tomorrow = calendar.date(byAdding: .day, value: 1, to: now) ?? now
    return ActivityForm(start: "\(dayKey(tomorrow))T18:00")
  }

  private func twoDigits(_ number: Int?) -> String {
    let number = number ?? 0
    return number < 10 ? "0\(number)" : "\(number)"
  }
}

/// The announcements after a successful change.
extension BoardWording {
  func added(_ title: String) -> String { "“\(title)” is on the board." }
  func saved(_ title: String) -> String { "“\(title)” is saved." }
  var goneWhileEditing: String {
    """
    Somebody took this activity off the board while you were editing. Your text is still here: \
    save again to put it back, or cancel to let it go.
    """
  }
  func deleted(_ title: String) -> String { "“\(title)” is off the board." }
}

extension DateComponents {
  /// Whether the calendar has this day.
  ///
  /// The check ignores the hour, because one hour is missing on a day in spring.
  fileprivate func isValidDay(in calendar: Calendar) -> Bool {
    DateComponents(year: year, month: month, day: day).isValidDate(in: calendar)
  }
}
