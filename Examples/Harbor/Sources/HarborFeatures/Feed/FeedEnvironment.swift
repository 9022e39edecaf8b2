public import Foundation
public import HarborDomain

/// The dependencies of a feed.
///
/// A test can replace each of them.
public struct FeedEnvironment: Sendable {
  /// The board.
  public var activities: any ActivityRepositoryProtocol
  /// The names of people.
  public var names: any NameRepositoryProtocol
  /// The texts for dates and numbers.
  public var wording: BoardWording
  /// The current date.
  public var now: @Sendable () -> Date
  /// Waits for a duration; throws if it is cancelled.
  public var pause: @Sendable (Duration) async throws -> Void
  /// The board for a page that shows only a part of the board itself; `nil` if it shows the whole
  /// board.
  ///
  /// The feature reads the newest board from ``beginning`` before each action.
  public var personal: PersonalBoard?
  /// The activities that a page with a ``personal`` board may show; `nil` for all.
  public var window: BoardWindow?

  /// The content of the first page, before the board was read.
  ///
  /// Called on the main actor.
  public var beginning: @Sendable () -> Beginning

  /// Makes an environment.
  ///
  /// The default clock is the system's clock.
  public init(
    activities: any ActivityRepositoryProtocol,
    names: any NameRepositoryProtocol,
    wording: BoardWording = BoardWording(),
    now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    personal: PersonalBoard? = nil,
    beginning: @escaping @Sendable () -> Beginning = { Beginning() }
  ) {
    (self.activities, self.names, self.wording, self.now) = (activities, names, wording, now)
    (self.pause, self.personal, self.beginning) = (pause, personal, beginning)
  }

  /// The content that a feed can show at once.
  public struct Beginning: Sendable {
    /// The last known board, or `nil`.
    public var activities: Activities?
    /// The last known name, or `nil`.
    public var person: PersonName?

    /// Makes the content from the parts that are known.
    public init(activities: Activities? = nil, person: PersonName? = nil) {
      self.activities = activities
      self.person = person
    }
  }
}

/// A board that yields only the changes that a page shows itself.
///
/// A change then costs nothing for the pages of other people.
public struct PersonalBoard: Sendable {
  /// The part of a board that a page shows itself.
  public enum Part: Sendable, Equatable {
    /// The activities that this person hosts or joins.
    case person(PersonName?)
    /// All activities, because the page shows the whole board beside an open form.
    case whole
  }

  /// Yields all activities, at once and after each change of the shown part.
  public var activities: @Sendable () -> AsyncThrowingStream<Activities, any Error>
  /// Sets the shown part.
  ///
  /// The stream then yields the newest board again.
  public var show: @Sendable (Part) -> Void

  /// Makes a board from its two functions.
  public init(
    activities: @escaping @Sendable () -> AsyncThrowingStream<Activities, any Error>,
    show: @escaping @Sendable (Part) -> Void
  ) {
    self.activities = activities
    self.show = show
  }
}
