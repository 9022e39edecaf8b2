public import CausewayWeb
public import Foundation

/// Limits the attempts to sign in and to make accounts.
///
/// No limit applies to a name alone. Otherwise anyone could lock the owner of an account out. If
/// many attempts from any networks use a name, further attempts with this name are slow.
public struct SignInLimits: Sendable {
  private let attempts: RateLimiter
  /// Attempts to sign in from a network, with any names.
  private let networks: RateLimiter
  /// Attempts from a /48 network of IPv6 addresses, which the other limits count as 65,536
  /// networks.
  private let wideNetworks: RateLimiter
  /// Attempts to sign in with a name, from any networks.
  private let names: RateLimiter

  /// The number of attempts with a name after which further attempts are slow.
  public static let fastAttempts = 20

  /// Makes limits without attempts.
  ///
  /// - Parameter now: Returns the current date.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    func attempts(_ limit: Int) -> RateLimiter {
      RateLimiter(
        limit, per: .seconds(600), code: "too-many-attempts",
        detail: "There were too many attempts.", date: now)
    }
    self.attempts = attempts(20)
    networks = attempts(100)
    wideNetworks = attempts(300)
    names = attempts(Self.fastAttempts)
  }

  /// The /48 network of a /64 network of IPv6 addresses; nil for any other network.
  static func wide(_ network: String) -> String? {
    guard network.hasSuffix("/64") else { return nil }
    // An abbreviated address has zeros in place of `::`. Equal networks have equal texts.
    return network.split(separator: ":", omittingEmptySubsequences: false).prefix(3)
      .joined(separator: ":")
  }

  private func countWide(_ network: String) throws(Problem) {
    if let wide = Self.wide(network) { try wideNetworks.count(wide) }
  }

  /// Counts an attempt to make an account, at most 20 in ten minutes for each network.
  ///
  /// - Parameter network: As `WebSession.remoteNetwork` or `Request.remoteNetwork`.
  /// - Throws: A `Problem` with status 429.
  public func countSignUp(from network: String) throws(Problem) {
    try countWide(network)
    try attempts.count("sign-up \(network)")
  }

  /// Counts an attempt to sign in.
  ///
  /// In ten minutes, a network has 100 attempts, and 20 with one name. All networks of a /48 network
  /// of IPv6 addresses together have 300.
  ///
  /// - Parameters:
  ///   - name: The name in the form in which the app compares names.
  ///   - network: As for ``countSignUp(from:)``.
  /// - Throws: A `Problem` with status 429.
  public func countSignIn(as name: String, from network: String) throws(Problem) {
    try countWide(network)
    try networks.count(network)
    try attempts.count("address \(network) name \(name)")
  }

  /// Counts an attempt with a name, and returns the pause before the passphrase is checked.
  public func pause(beforeAttemptWith name: String) -> Duration {
    names.allows(name) ? .zero : .seconds(3)
  }

  /// Forgets the attempts with a name after a successful sign-in.
  public func forget(_ name: String) { names.reset(name) }
}
