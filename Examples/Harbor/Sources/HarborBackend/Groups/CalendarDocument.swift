public import Foundation

/// A calendar in the format of RFC 5545, for a download or for a feed that calendars follow.
///
/// ```swift
/// server.get("/events.ics") { request in
///   .representation(
///     of: CalendarDocument(name: "Board", events: events).text.utf8,
///     type: CalendarDocument.mediaType, for: request)
/// }
/// ```
public struct CalendarDocument: Sendable, Equatable {
  /// The value of the header field `Content-Type`.
  public static let mediaType = "text/calendar; charset=utf-8"

  /// The name that calendars show for a feed.
  public var name: String
  /// The events.
  public var events: [CalendarEvent]

  /// Makes a calendar from its events.
  public init(name: String, events: [CalendarEvent]) {
    self.name = name
    self.events = events
  }

  /// The calendar as text; all dates are in UTC.
  ///
  /// Complexity: O(*n*) in the size of the events.
  public var text: String {
    var lines = ContentLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//Causeway//Harbor//EN")
    lines.add("CALSCALE", "GREGORIAN")
    lines.add("X-WR-CALNAME", text: name)
    // How often a calendar asks again (RFC 7986).
    lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
    for event in events {
      lines.add("BEGIN", "VEVENT")
      lines.add("UID", text: event.id)
      lines.add("DTSTAMP", event.changed)
      lines.add("LAST-MODIFIED", event.changed)
      lines.add("SEQUENCE", "\(max(0, event.sequence))")
      lines.add("DTSTART", event.start)
      // An end has to be later than the start.
      if let end = event.end, end > event.start { lines.add("DTEND", end) }
      lines.add("SUMMARY", text: event.title)
      if let place = event.place { lines.add("LOCATION", text: place) }
      if let notes = event.notes { lines.add("DESCRIPTION", text: notes) }
      if let address = event.address { lines.add("URL", address.absoluteString) }
      lines.add("END", "VEVENT")
    }
    lines.add("END", "VCALENDAR")
    return String(decoding: lines.bytes, as: UTF8.self)
  }
}

/// An event of a ``CalendarDocument``.
public struct CalendarEvent: Sendable, Equatable {
  /// The id, such as a UUID.
  ///
  /// It never changes, and no other event has it.
  public var id: String
  /// The title.
  public var title: String
  /// The start.
  public var start: Date
  /// The end; nil if it is unknown.
  public var end: Date?
  /// The place; nil for none.
  public var place: String?
  /// The description, which can have several lines; nil for none.
  public var notes: String?
  /// The address of the event's page; nil for none.
  public var address: URL?
  /// The date of the last change.
  public var changed: Date
  /// The number of changes, from 0 on.
  ///
  /// A calendar keeps the version with the highest number.
  public var sequence: Int

  /// Makes an event from its parts.
  public init(
    id: String, title: String, start: Date, end: Date? = nil, place: String? = nil,
    notes: String? = nil, address: URL? = nil, changed: Date, sequence: Int
  ) {
    self.id = id
    self.title = title
    self.start = start
    self.end = end
    self.place = place
    self.notes = notes
    self.address = address
    self.changed = changed
    self.sequence = sequence
  }
}
