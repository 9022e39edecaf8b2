public import Causeway
import CausewayBasics
public import Foundation

extension ProvidedKey<@Sendable () -> Date> {
  /// The current date.
  ///
  /// ```swift
  /// InteractWithValues(initialValue: State()) { state, action, values in
  ///   state.meetings.append(Meeting(date: values[.date]()))
  ///   return .state
  /// }
  /// ```
  ///
  /// In a test that provides no date, it is the first moment of the year 2001 in UTC. In a simulation,
  /// it is the date of the simulation.
  public static var date: Self {
    ProvidedKey(
      "date", default: { SystemValues.date },
      inTests: { { Date(timeIntervalSinceReferenceDate: 0) } })
  }
}

extension ProvidedKey<Calendar> {
  /// The calendar of the user, with its time zone and locale.
  ///
  /// In a test that provides no calendar, it is the Gregorian calendar in UTC with the locale
  /// `en_US_POSIX`.
  public static var calendar: Self {
    ProvidedKey("calendar", default: .autoupdatingCurrent, inTests: { .ofTests })
  }
}

extension ProvidedKey<@Sendable () -> UUID> {
  /// Makes identifiers.
  ///
  /// ```swift
  /// let id = values[.uuid]()
  /// ```
  ///
  /// In a test that provides no identifiers, they are ``Foundation/UUID/init(counting:)`` from 0
  /// on, for each test model. In a simulation, the seed decides them. A tool that compares the
  /// orders of events may call a handler twice for one action. The handler then takes two
  /// identifiers.
  public static var uuid: Self {
    ProvidedKey("uuid", default: { SystemValues.uuid() }, inTests: { UUID.counting() })
  }
}

extension ProvidedKey<RandomNumbers> {
  /// Random numbers.
  ///
  /// ```swift
  /// var numbers = values[.random]
  /// state.speaker = state.attendees.randomElement(using: &numbers)
  /// ```
  ///
  /// In a test that provides no random numbers, they have the seed 0, for each test model.
  public static var random: Self {
    ProvidedKey("random", default: RandomNumbers(), inTests: { RandomNumbers(seed: 0) })
  }
}

extension Calendar {
  fileprivate static var ofTests: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    calendar.locale = Locale(identifier: "en_US_POSIX")
    return calendar
  }
}
