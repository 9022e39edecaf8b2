import CausewayData
import CausewayWeb
import Foundation
import HarborDomain

/// The account of a request.
struct Identity: Sendable, Equatable {
  var account: String
  var device: String

  /// Checks that the account may use the data of a place, in the transaction that uses the data.
  ///
  /// - Throws: A `Problem` with status 404 if it may not.
  func check(_ place: Place, in transaction: any ReadTransaction) throws {
    switch place {
    case .account(let id):
      if id == account { return }
    case .group:
      let member: SQL = """
        SELECT 1 FROM member WHERE scope = \(place.scope) AND account = \(account)
        """
      if try transaction.row(member, as: Int.self) != nil { return }
    }
    // The answer is the same for places that do not exist.
    throw Problem(
      .notFound, code: "no-such-place", detail: "You are not a member of a group with this id.")
  }

  /// Live queries that each return a row while the device may use the data of a place.
  ///
  /// Call ``check(_:in:)`` first. All event streams of the device share the first query. All event
  /// streams of the account in a group share the second one.
  func access(to place: Place, in store: any PersistenceService) -> [LiveQuery<Int>] {
    let token = store.observe(
      "SELECT 1 FROM token WHERE device = \(device) LIMIT 1", as: Int.self)
    // An account does not lose access to its own data.
    guard case .group = place else { return [token] }
    let member = store.observe(
      "SELECT 1 FROM member WHERE scope = \(place.scope) AND account = \(account)", as: Int.self)
    return [token, member]
  }
}

/// Access tokens, valid for minutes, and refresh tokens, valid for months.
enum Tokens {
  /// The lifetime of an access token, in seconds.
  static let accessTime: TimeInterval = 15 * 60
  private static let refreshTime: TimeInterval = 90 * 86_400
  /// The time without a request after which no token of a device is valid, in seconds.
  static let longestSilence = accessTime + refreshTime

  /// The tokens of a device, in the form of RFC 6749.
  struct Pair: Codable, Sendable {
    var access_token: String
    var refresh_token: String
    var expires_in: Double
  }

  /// Makes new tokens.
  ///
  /// - Parameter old: The device that continues, and its refresh token; `nil` for a new device. The
  ///   old token stays valid, because the device may lose the response. Its other tokens that are
  ///   older end.
  static func make(
    for account: String, replacing old: (device: String, refresh: String)? = nil, at now: Date,
    _ random: Secret.Source, in transaction: any WriteTransaction
  ) throws -> Pair {
    let device = old?.device ?? Secret.make(random)
    let pair = Pair(
      access_token: Secret.make(random), refresh_token: Secret.make(random),
      expires_in: accessTime)
    if let old {
      try transaction.execute(
        """
        DELETE FROM token WHERE device = \(device) AND (expiry < \(now.timeIntervalSince1970)
          OR kind = 'refresh' AND hash <> \(Secret.hash(old.refresh)))
        """)
    }
    for (kind, secret, time) in [
      ("access", pair.access_token, accessTime), ("refresh", pair.refresh_token, refreshTime),
    ] {
      let expiry = now.timeIntervalSince1970 + time
      try transaction.execute(
        """
        INSERT INTO token (hash, kind, account, device, expiry)
        VALUES (\(Secret.hash(secret)), \(kind), \(account), \(device), \(expiry))
        """)
    }
    return pair
  }

  /// Removes the tokens that are no longer valid.
  ///
  /// Complexity: O(*n*) in the number of tokens.
  static func removeExpired(at now: Date, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM token WHERE expiry < \(now.timeIntervalSince1970)")
  }

  /// The account of an unexpired token.
  static func identity(
    of secret: String, kind: String, at now: Date, in transaction: any ReadTransaction
  ) throws -> Identity? {
    let query: SQL = """
      SELECT account, device FROM token WHERE hash = \(try Secret.hash(secret)) AND kind = \(kind)
      AND expiry > \(now.timeIntervalSince1970)
      """
    return try transaction.row(query, as: Row.self)
      .map { Identity(account: $0.account, device: $0.device) }
  }

  private struct Row: Decodable {
    var account: String
    var device: String
  }
}
