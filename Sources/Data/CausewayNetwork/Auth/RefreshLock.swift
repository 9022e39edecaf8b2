/// The lock for the refresh of a token that several processes use.
///
/// Some servers end a session whose refresh token is used twice.
enum RefreshLock {
  private static let firstPause = Duration.milliseconds(10)
  private static let longestPause = Duration.milliseconds(200)
  /// A process that needs longer has no working connection.
  private static let limit = Duration.seconds(60)

  /// Waits until no other process refreshes the token of a store.
  ///
  /// A file lock cannot wake a task, so this function repeatedly tries to lock.
  ///
  /// - Returns: The lock, which ends when it is released; `nil` if the store has no such lock.
  ///   Without a lock, the session still finds the token of another process, but both processes may
  ///   have sent a refresh.
  /// - Throws: `AuthSessionError.refreshFailed` after a minute; `CancellationError`.
  static func wait(for store: any TokenStore) async throws -> (any Sendable)? {
    guard let store = store as? any SharedTokenStore else { return nil }
    var (pause, waited) = (firstPause, Duration.zero)
    while true {
      do throws(TokenStoreError) {
        if let lock = try store.lockForRefresh() { return lock }
      } catch {
        // Some file systems have no locks, and some folders only permit reading.
        return nil
      }
      guard waited < limit else {
        throw AuthSessionError.refreshFailed("another process has been refreshing it for a minute")
      }
      try await Task.sleep(for: pause)
      waited += pause
      pause = min(pause * 2, longestPause)
    }
  }
}
