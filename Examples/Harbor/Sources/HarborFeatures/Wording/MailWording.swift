public import Foundation
public import HarborDomain

/// The mails about activities.
extension BoardWording {
  /// The subject and the text of a mail.
  ///
  /// - Parameters:
  ///   - kind: What the mail is about.
  ///   - details: The current details; for a cancelled activity, its last details.
  ///   - old: The details before a change.
  ///   - address: The page of the activity.
  public func mail(
    _ kind: MailKind, _ details: ActivityDetails, before old: ActivityDetails, at address: URL
  ) -> (subject: String, text: String) {
    let (title, link) = ("“\(old.title)”", "\n\(address.absoluteString)")
    var lines: [String] = []
    switch kind {
    case .cancelled:
      return ("Cancelled: \(old.title)", "\(title), \(moment(old)), is off the board.")
    case .reminder:
      lines = ["\(title) begins on \(moment(details))."]
      if let place = details.place { lines.append("Place: \(place)") }
      return ("Reminder: \(details.title)", (lines + [link]).joined(separator: "\n"))
    case .changed:
      lines = ["\(title), \(moment(old)), was changed."]
      if details.title != old.title { lines.append("Title: \(details.title)") }
      if moment(details) != moment(old) { lines.append("Time: \(moment(details))") }
      if details.place != old.place { lines.append("Place: \(details.place ?? "none")") }
      return ("Changed: \(details.title)", (lines + [link]).joined(separator: "\n"))
    }
  }

  /// The time in words that are true on every day, such as
  /// `Saturday 21 November 2026, 18:00 until 20:00 (Europe/Lisbon)`.
  private func moment(_ details: ActivityDetails) -> String {
    let until = until(details, at: .distantPast)
    return "\(dayDate(details.start, at: .distantPast)), \(time(details.start))"
      + (until.isEmpty ? "" : " \(until)") + " (\(timeZone.identifier))"
  }
}
