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
  /// streams of the account in a group share the second one. A refresh of tokens runs neither.
  func access(to place: Place, in store: any PersistenceService) -> [LiveQuery<Int>] {
    let session = store.observe("SELECT 1 FROM device WHERE id = \(device)", as: Int.self)
    // An account does not lose access to its own data.
    guard case .group = place else { return [session] }
    let member = store.observe(
      "SELECT 1 FROM member WHERE scope = \(place.scope) AND account = \(account)", as: Int.self)
    return [session, member]
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

  /// The step that adds the devices with tokens.
  ///
  /// Event streams observe this table. Each device refreshes its tokens several times in an hour. If
  /// the streams observed the tokens, each refresh would run a query for each connected device.
  static func devicesMigration(options: SQL) -> Migration {
    Migration(
      "create devices",
      """
      CREATE TABLE device (
        id TEXT PRIMARY KEY NOT NULL,
        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE
      )\(options)
      """,
      "INSERT INTO device (id, account) SELECT DISTINCT device, account FROM token")
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
    // A statement that inserts no row would run the queries of the event streams too.
    if try transaction.row("SELECT 1 FROM device WHERE id = \(device)", as: Int.self) == nil {
      try transaction.execute("INSERT INTO device (id, account) VALUES (\(device), \(account))")
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

  /// Removes the tokens of a device, which ends its event streams.
  static func remove(device: String, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM token WHERE device = \(device)")
    try transaction.execute("DELETE FROM device WHERE id = \(device)")
  }

  /// Removes the tokens that are no longer valid, and devices without tokens.
  ///
  /// Complexity: O(*n*) in the number of tokens.
  static func removeExpired(at now: Date, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM token WHERE expiry < \(now.timeIntervalSince1970)")
    try transaction.execute("DELETE FROM device WHERE id NOT IN (SELECT device FROM token)")
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
