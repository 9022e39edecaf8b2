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
  /// Waits; throws if it is cancelled.
  public var pause: @Sendable (Duration) async throws -> Void

  /// The content that is known before anything was read, so that the first page is not empty.
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

  /// The content that a feed can show at once.
  public struct Beginning: Sendable {
    /// The board as it was last seen, or `nil`.
    public var activities: [Activity]?
    /// The name that was given last, or `nil`.
    public var person: PersonName?

    /// Makes a beginning with the known parts.
    public init(activities: [Activity]? = nil, person: PersonName? = nil) {
      self.activities = activities
      self.person = person
    }
  }
}
