package import Foundation

/// The dates of header fields.
package enum HTTPDate {
  /// Parses a date in one of the three formats of RFC 9110, 5.6.7.
  ///
  /// - Parameter now: The time of the device, for a year of two digits.
  package static func date(_ text: String, now: Date) -> Date? {
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
