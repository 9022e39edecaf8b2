public import Foundation

/// The browsers that are signed in to an account.
public protocol BrowserListProtocol: Sendable {
  /// Yields the browsers, most recently used first, now and after each change.
  func browsers() -> AsyncThrowingStream<[AccountBrowser], any Error>

  /// Signs a browser of the account out.
  func end(_ id: String) async throws
}

/// A browser that is signed in to an account.
public struct AccountBrowser: Equatable, Sendable, Identifiable {
  /// The identity, and the kind of browser in words.
  public var id, label: String
  /// The times of the sign-in and of the last use, which is recorded once an hour.
  public var start, lastUse: Date
  /// Whether the page is in this browser.
  public var isOwn: Bool

  /// Makes a browser from its parts.
  public init(id: String, label: String, start: Date, lastUse: Date, isOwn: Bool) {
    (self.id, self.label, self.start) = (id, label, start)
    (self.lastUse, self.isOwn) = (lastUse, isOwn)
  }
}
