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
    guard let date = HTTPDate.date(text, now: now) else { return nil }
    let sent = headers["date"].flatMap { HTTPDate.date($0, now: now) } ?? now
    return .seconds(min(max(0, date.timeIntervalSince(sent)), Double(longest)))
  }
}
