import CausewayWeb
import Foundation
import HarborDomain

/// Limits how often accounts, groups and addresses send what the backend stores.
///
/// No limit of sign-ins applies to a name alone. Otherwise anyone could lock the owner of an account
/// out. If many attempts from any addresses use a name, further attempts with this name are slow.
struct RateLimits: Sendable {
  private let changes: RateLimiter
  private let groupChanges: RateLimiter
  private let uploads: RateLimiter
  /// Attempts to sign in, to sign up and to accept invitations.
  private let attempts: RateLimiter
  /// Attempts to sign in from an address, with any names.
  private let addresses: RateLimiter
  /// Attempts to sign in with a name, from any addresses.
  private let names: RateLimiter

  /// The number of attempts with a name after which further attempts are slow.
  static let fastAttempts = 20

  init(_ quotas: Quotas, now: @escaping @Sendable () -> Date) {
    func perMinute(_ quota: Quota, _ detail: String) -> RateLimiter {
      RateLimiter(quotas[quota], per: .seconds(60), detail: detail, date: now)
    }
    func attempts(_ limit: Int) -> RateLimiter {
      RateLimiter(
        limit, per: .seconds(600), code: "too-many-attempts",
        detail: "There were too many attempts.", date: now)
    }
    changes = perMinute(.changes, "You have sent too many changes.")
    groupChanges = perMinute(.groupChanges, "This group has sent too many changes.")
    uploads = perMinute(.uploads, "You have sent too much.")
    self.attempts = attempts(20)
    addresses = attempts(100)
    names = attempts(Self.fastAttempts)
  }

  /// Counts changes of a collection.
  ///
  /// The account of this machine is not limited by the minute, because all browsers of the app use
  /// it. The pages limit what each browser adds.
  ///
  /// - Throws: A `Problem` with status 429 beyond the limit. The outbox of a device then waits.
  func count(changes count: Int, by account: String, at place: Place) throws(Problem) {
    guard account != Backend.localAccount else { return }
    try changes.count(account, events: count)
    if case .group(let group) = place { try groupChanges.count(group, events: count) }
  }

  /// Counts a feedback, a picture or an invitation.
  func count(upload kind: String, by account: String) throws(Problem) {
    guard account != Backend.localAccount else { return }
    try uploads.count("\(kind) \(account)")
  }

  func countSignUp(from network: String) throws(Problem) {
    try attempts.count("sign-up \(network)")
  }

  func countAcceptance(by account: String) throws(Problem) {
    try attempts.count("invitation \(account)")
  }

  func countSignIn(as name: PersonName, from network: String) throws(Problem) {
    try addresses.count(network)
    try attempts.count("address \(network) name \(name.key)")
  }

  /// Counts an attempt with a name, and returns the pause before the passphrase is checked.
  func pause(beforeAttemptWith name: PersonName) -> Duration {
    names.allows(name.key) ? .zero : .seconds(3)
  }

  /// Forgets the attempts with a name after a successful sign-in.
  func forget(_ name: PersonName) { names.reset(name.key) }
}
