public import Foundation
public import HarborDomain

/// What a feed needs from outside.
///
/// Everything that a test wants to decide is in here.
public struct FeedEnvironment: Sendable {
  /// The board.
  public var activities: any ActivityRepositoryProtocol
  /// The names that people go by.
  public var names: any NameRepositoryProtocol
  /// How dates and numbers are put into words.
  public var wording: BoardWording
  /// The current date.
  public var now: @Sendable () -> Date
  /// Waits; throws where it is cancelled.
  public var pause: @Sendable (Duration) async throws -> Void

  /// What is known before anything was read: the first picture of the page, so that it does not
  /// begin with a wait.
  ///
  /// Called on the main actor.
  public var beginning: @Sendable () -> Beginning

  /// Surroundings made of these parts, on the system's clock where nothing else is said.
  public init(
    activities: any ActivityRepositoryProtocol,
    names: any NameRepositoryProtocol,
    wording: BoardWording = BoardWording(),
    now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    beginning: @escaping @Sendable () -> Beginning = { Beginning() }
  ) {
    self.activities = activities
    self.names = names
    self.wording = wording
    self.now = now
    self.pause = pause
    self.beginning = beginning
  }

  /// What a feed can show at once.
  public struct Beginning: Sendable {
    /// The board as it was last seen, or `nil`.
    public var activities: [Activity]?
    /// The name that was given last, or `nil`.
    public var person: PersonName?

    /// A beginning with what is known.
    public init(activities: [Activity]? = nil, person: PersonName? = nil) {
      self.activities = activities
      self.person = person
    }
  }
}
