import CausewayNetwork
import Foundation

/// The header field `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// The longest duration that is returned.
  private static let longest: Int64 = 365 * 24 * 3600

  /// Returns the wait that the server asks for; `nil` if the field is missing or cannot be parsed.
  ///
  /// A date is compared with the server's own time in the field `Date`, because the clock of the
  /// device may be wrong.
  ///
  /// - Parameter now: The time of the device, for a response without the field `Date`.
  static func duration(of headers: NetworkHeaders, now: Date) -> Duration? {
    guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty
    else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A number that is too large counts as the longest duration.
      return .seconds(min(Int64(text) ?? .max, longest))
    }
    guard let date = date(text, now: now) else { return nil }
    let sent = headers["date"].flatMap { self.date($0, now: now) } ?? now
    return .seconds(min(max(0, date.timeIntervalSince(sent)), Double(longest)))
  }

  /// Parses a date in one of the three formats of RFC 9110, 5.6.7.
  private static func date(_ text: String, now: Date) -> Date? {
    // The third format pads the day of the month with a space.
    let words = text.split(separator: " ").joined(separator: " ")
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    // A year of two digits is at most 50 years in the future.
    formatter.twoDigitStartDate = now.addingTimeInterval(-50 * 365.25 * 24 * 3600)
    for format in [
      "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: words) { return date }
    }
    return nil
  }
}
