import CausewayData
import Foundation

/// The header field `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// How long a server asks to wait; `nil` if it does not ask, or not in a form that is known.
  static func duration(of headers: NetworkHeaders, now: Date) -> Duration? {
    guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty
    else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A number too large to read is a time too long to wait.
      return .seconds(min(Int64(text) ?? .max, 365 * 24 * 3600))
    }
    guard let date = date(text) else { return nil }
    return .seconds(min(max(0, date.timeIntervalSince(now)), 365 * 24 * 3600))
  }

  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }
}
