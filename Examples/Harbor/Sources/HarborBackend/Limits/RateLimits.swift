import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain

/// Limits how often accounts, groups and networks send what the backend stores.
struct RateLimits: Sendable {
  private let changes, groupChanges, uploads, rare: RateLimiter
  /// The attempts to sign in and to make accounts.
  let attempts: SignInLimits

  init(_ quotas: Quotas, now: @escaping @Sendable () -> Date) {
    func perMinute(_ quota: Quota, _ detail: String) -> RateLimiter {
      RateLimiter(quotas[quota], per: .seconds(60), detail: detail, date: now)
    }
    changes = perMinute(.changes, "You have sent too many changes.")
    groupChanges = perMinute(.groupChanges, "This group has sent too many changes.")
    uploads = perMinute(.uploads, "You have sent too much.")
    rare = RateLimiter(
      20, per: .seconds(600), code: "too-many-attempts", detail: "There were too many attempts.",
      date: now)
    attempts = SignInLimits(now: now)
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

  /// Counts an attempt to accept an invitation, at most 20 in ten minutes.
  func countAcceptance(by account: String) throws(Problem) { try rare.count(account) }

  /// Counts an action that reads or rewrites much, at most five in ten minutes.
  func count(costly kind: String, by key: String) throws(Problem) {
    try rare.count("\(kind) \(key)", events: 4)
  }
}
