public import Foundation

/// The activities of a new board, which fill its first page.
public struct SampleBoard: Sendable {
  /// An activity to put on the board.
  public struct Entry: Sendable {
    /// The title, place, notes and start.
    public let details: ActivityDetails
    /// The host, who also takes part.
    public let host: PersonName
    /// The other people who take part.
    public let guests: [PersonName]
  }

  /// The activities, which all begin after the date for which the board was made.
  public let entries: [Entry]

  /// Makes activities for the days after `now`, in the calendar's time zone.
  public init(now: Date, calendar: Calendar) {
    func start(_ days: Int, _ hour: Int, _ minute: Int = 0) -> Date {
      let day = calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: now))
      let date = day.flatMap {
        calendar.date(bySettingHour: hour, minute: minute, second: 0, of: $0)
      }
      return date ?? now.addingTimeInterval(Double(days) * 86_400)
    }
    func entry(
      _ title: String, _ place: String, _ notes: String?, _ start: Date, _ host: String,
      _ guests: [String]
    ) -> Entry {
      Entry(
        details: ActivityDetails(title: title, place: place, notes: notes, start: start),
        host: PersonName(stored: host), guests: guests.map(PersonName.init(stored:)))
    }
    entries = [
      entry(
        "Early swim at high water", "The old pier, north steps",
        "Two rounds to the yellow buoy and back. Hot tea afterwards.",
        start(1, 7, 15), "Mira", ["Jonas", "Aiko"]),
      entry(
        "Mend the nets, hear the stories", "Boathouse 4", nil,
        start(1, 18, 30), "Tomas", ["Leila"]),
      entry(
        "Chowder for everyone", "Harbour kitchen",
        "We cook together from five, and eat when it is ready. Bring a bowl.",
        start(3, 17), "Aiko", ["Mira", "Tomas", "Noor", "Jonas"]),
      entry(
        "Learn to read a chart", "Library, upper floor",
        "For beginners. Pencils and charts are there.",
        start(6, 19), "Noor", []),
      entry(
        "Walk to the lighthouse", "Meet at the ferry slip", "Nine kilometres, flat, mostly sand.",
        start(9, 10), "Jonas", ["Mira", "Leila", "Noor"]),
    ]
  }
}
