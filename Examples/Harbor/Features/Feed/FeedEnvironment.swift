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
  /// Follows the board for a page that itself shows only the activities of one person; `nil` if each
  /// page follows the whole board.
  ///
  /// It yields all activities, at once and after each change of an activity that the person hosts or
  /// joins. So a change costs nothing for the pages of other people. The feature reads the newest
  /// board from ``beginning`` before each action.
  public var personal: (@Sendable (PersonName?) -> AsyncThrowingStream<[Activity], any Error>)?

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
    personal: (@Sendable (PersonName?) -> AsyncThrowingStream<[Activity], any Error>)? = nil,
    beginning: @escaping @Sendable () -> Beginning = { Beginning() }
  ) {
    self.activities = activities
    self.names = names
    self.wording = wording
    self.now = now
    self.pause = pause
    self.personal = personal
    self.beginning = beginning
  }

  /// The content that a feed can show at once.
  public struct Beginning: Sendable {
    /// The last known board, or `nil`.
    public var activities: [Activity]?
    /// The last known name, or `nil`.
    public var person: PersonName?

    /// Makes a beginning from the known parts.
    public init(activities: [Activity]? = nil, person: PersonName? = nil) {
      self.activities = activities
      self.person = person
    }
  }
}
