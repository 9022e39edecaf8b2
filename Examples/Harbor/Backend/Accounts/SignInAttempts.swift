import CausewayWeb
import Foundation
import HarborDomain
import Synchronization

/// Limits the attempts to sign in, to sign up and to accept invitations.
///
/// No limit applies to a name alone. Otherwise anyone could lock the owner of an account out. If
/// many attempts from any addresses use a name, further attempts with this name are slow.
final class SignInAttempts: Sendable {
  private struct Count {
    var number = 0
    var end: Date
  }

  private let counts = Mutex<[String: Count]>([:])
  private let now: @Sendable () -> Date

  /// The time in which attempts are counted, in seconds.
  private static let period: TimeInterval = 600
  /// The number of attempts with a name after which further attempts are slow.
  static let fastAttempts = 20

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// Counts an attempt.
  ///
  /// - Parameter limit: The largest number of attempts in 10 minutes for this key.
  /// - Throws: A `Problem` with status 429 beyond the limit.
  func count(_ key: String, limit: Int = 20) throws(Problem) {
    let count = add(key)
    guard count.number > limit else { return }
    let wait = count.end.timeIntervalSince(now())
    throw Problem(
      .tooManyRequests, code: "too-many-attempts",
      detail: "There were too many attempts. Wait some minutes and try again.",
      headers: ["Retry-After": "\(Int(exactly: wait.rounded(.up)) ?? Int(Self.period))"])
  }

  /// Counts an attempt with a name, and returns the pause before the passphrase is checked.
  func pause(beforeAttemptWith name: PersonName) -> Duration {
    add("name \(name.key)").number > Self.fastAttempts ? .seconds(3) : .zero
  }

  /// Forgets the attempts with a name after a successful sign-in.
  func forget(_ name: PersonName) { counts.withLock { $0["name \(name.key)"] = nil } }

  private func add(_ key: String) -> Count {
    let now = now()
    return counts.withLock { counts in
      if counts.count > 10_000 { counts = counts.filter { $0.value.end > now } }
      var count = counts[key] ?? Count(end: now.addingTimeInterval(Self.period))
      if count.end <= now { count = Count(end: now.addingTimeInterval(Self.period)) }
      count.number += 1
      counts[key] = count
      return count
    }
  }
}
