package import Foundation

/// The limits of the dates in records.
///
/// Dates are numbers in requests and databases, so a request or an old row can contain any number.
/// The server refuses dates outside ``accepted(at:)``. A stored date outside ``shown`` is shown as
/// the nearest date in it, so that its record can be shown, changed and removed.
package enum StoredDate {
  /// The dates that calendars can show, in seconds since 1970: the years 1 to 9999 in all time zones.
  static let shown: ClosedRange<TimeInterval> = -62_135_500_000...253_402_200_000

  /// The dates that the server accepts, in seconds since 1970.
  ///
  /// A device's clock can be wrong, and a change can arrive long after it was made, so a date may
  /// differ from the server's date.
  ///
  /// - Parameter now: The server's date.
  package static func accepted(at now: Date) -> ClosedRange<TimeInterval> {
    0...max(0, now.timeIntervalSince1970 + ActivityDraft.horizon)
  }
}

extension Date {
  /// The date of a stored number of seconds since 1970; the nearest date that calendars can show.
  init(stored seconds: TimeInterval) {
    let bounds = StoredDate.shown
    let shown = seconds.isNaN ? 0 : min(max(seconds, bounds.lowerBound), bounds.upperBound)
    self.init(timeIntervalSince1970: shown)
  }
}
