import CausewayWeb
import Foundation
import Synchronization

/// Limits the attempts to sign in, to sign up and to accept invitations.
final class SignInAttempts: Sendable {
  private struct Count {
    var number = 0
    var end: Date
  }

  private let counts = Mutex<[String: Count]>([:])
  private let limit: Int
  private let now: @Sendable () -> Date

  /// - Parameter limit: The number of attempts in 10 minutes for each key, such as a name.
  init(limit: Int = 20, now: @escaping @Sendable () -> Date) {
    self.limit = limit
    self.now = now
  }

  /// Counts an attempt.
  ///
  /// - Throws: A `Problem` with status 429 beyond the limit.
  func count(_ keys: String...) throws(Problem) {
    let now = now()
    let wait = counts.withLock { counts -> TimeInterval? in
      if counts.count > 10_000 { counts = counts.filter { $0.value.end > now } }
      var wait: TimeInterval?
      for key in keys {
        var count = counts[key] ?? Count(end: now.addingTimeInterval(600))
        if count.end <= now { count = Count(end: now.addingTimeInterval(600)) }
        count.number += 1
        counts[key] = count
        if count.number > limit { wait = max(wait ?? 0, count.end.timeIntervalSince(now)) }
      }
      return wait
    }
    guard let wait else { return }
    throw Problem(
      .tooManyRequests, code: "too-many-attempts",
      detail: "There were too many attempts. Wait some minutes and try again.",
      headers: ["Retry-After": "\(Int(wait.rounded(.up)))"])
  }

  /// Forgets the attempts of a name after a successful sign-in.
  func forget(_ key: String) { counts.withLock { $0[key] = nil } }
}
