public import CausewayDatabase
public import CausewayWeb
public import Foundation

/// Access tokens, valid for minutes, and refresh tokens, valid for months.
///
/// All tokens that descend from one sign-in belong to one device, and each refresh token names its
/// device. A refresh token is used up when the device uses one of its successors, because the
/// device has then received them. If a used refresh token is presented again, two programs have the
/// tokens of one device. Then all tokens of the device end (RFC 9700, section 4.14.2).
///
/// A device that loses the answer of a refresh presents the same token again, and gets other
/// successors. The first successor that is used ends the token and the other successors.
///
/// It uses the tables `token` and `device`, which ``table(real:options:)`` and the other steps
/// make. The database stores only the hashes of tokens.
public enum DeviceTokens {
  /// The lifetime of an access token, in seconds.
  static let accessTime: TimeInterval = 15 * 60
  /// The lifetime of a refresh token, in seconds.
  public static let refreshTime: TimeInterval = 90 * 86_400
  /// The largest number of unused successors of a refresh token, and of a device's access tokens.
  private static let successors = 4

  /// The tokens of a device, in the form of RFC 6749.
  public struct Pair: Codable, Sendable {
    /// The token of a request, after `Bearer`.
    public var access_token: String
    /// The token with which the device gets the next pair.
    public var refresh_token: String
    /// The lifetime of the access token, in seconds.
    public var expires_in: Double
  }

  /// The statement that makes the table of tokens, after the table `account` with its key `id`.
  ///
  /// - Parameters:
  ///   - real: The database's type of floating-point numbers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func table(real: SQL = "DOUBLE PRECISION", options: SQL = "") -> SQL {
    """
    CREATE TABLE token (
      hash TEXT PRIMARY KEY NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
      account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      device TEXT NOT NULL,
      expiry \(real) NOT NULL
    )\(options)
    """
  }

  /// The index of the tokens of a device.
  public static let index: SQL = "CREATE INDEX token_device ON token (device)"

  /// The step that adds the devices with tokens.
  ///
  /// Event streams observe this table. Each device refreshes its tokens several times in an hour. If
  /// the streams observed the tokens, each refresh would run a query for each connected device.
  public static func devicesMigration(options: SQL = "") -> Migration {
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

  /// The step that records for which refresh token a token was made.
  public static let successionMigration = Migration(
    "record the succession of tokens", "ALTER TABLE token ADD COLUMN parent TEXT")

  /// A valid token.
  public struct Known: Sendable {
    /// The account and the device of the token.
    public var account, device: String
    /// The hash of the refresh token that this one replaces; `nil` after the first use.
    public var parent: String?
  }

  /// Makes the first tokens of a new device.
  ///
  /// If the account then has more devices than `limit`, the devices that have been silent for the
  /// longest time are removed.
  public static func make(
    for account: String, at now: Date, limit: Int, _ random: Secret.Source,
    in transaction: any WriteTransaction
  ) throws -> Pair {
    let device = Secret.make(random)
    try transaction.execute("INSERT INTO device (id, account) VALUES (\(device), \(account))")
    let surplus: SQL = """
      SELECT device FROM token WHERE account = \(account) GROUP BY device
      ORDER BY max(expiry) DESC, device LIMIT 1000 OFFSET \(max(0, limit - 1))
      """
    for surplus in try transaction.rows(surplus, as: String.self) {
      try remove(device: surplus, in: transaction)
    }
    return try add(for: account, device, at: now, random, in: transaction)
  }

  /// Makes successors of a refresh token.
  ///
  /// - Returns: The new tokens; `nil` if the refresh token is not valid. The device that the token
  ///   names is then removed, with all its tokens.
  public static func refresh(
    _ secret: String, at now: Date, _ random: Secret.Source, in transaction: any WriteTransaction
  ) throws -> Pair? {
    guard let known = try known(secret, kind: "refresh", at: now, in: transaction) else {
      try endFamily(of: secret, in: transaction)
      return nil
    }
    let (device, hash) = (known.device, try Secret.hash(secret))
    // The device has received this token, so the predecessor and its other successors end.
    try transaction.execute(
      """
      DELETE FROM token WHERE device = \(device) AND (expiry < \(now.timeIntervalSince1970)
        OR kind = 'refresh' AND hash <> \(hash) AND coalesce(parent, '') <> \(hash))
      """)
    for kind in ["access", "refresh"] {
      try transaction.execute(
        """
        DELETE FROM token WHERE hash IN (
          SELECT hash FROM token WHERE device = \(device) AND kind = \(kind) AND hash <> \(hash)
          ORDER BY expiry DESC LIMIT 1000 OFFSET \(successors - 1))
        """)
    }
    return try add(for: known.account, device, parent: hash, at: now, random, in: transaction)
  }

  private static func add(
    for account: String, _ device: String, parent: String? = nil, at now: Date,
    _ random: Secret.Source,
    in transaction: any WriteTransaction
  ) throws -> Pair {
    let pair = Pair(
      access_token: Secret.make(random),
      refresh_token: "\(device).\(Secret.make(random))", expires_in: accessTime)
    for (kind, secret, time) in [
      ("access", pair.access_token, accessTime), ("refresh", pair.refresh_token, refreshTime),
    ] {
      let expiry = now.timeIntervalSince1970 + time
      try transaction.execute(
        """
        INSERT INTO token (hash, kind, account, device, expiry, parent)
        VALUES (
          \(Secret.hash(secret)), \(kind), \(account), \(device), \(expiry),
          \(parent))
        """)
    }
    return pair
  }

  /// Ends the refresh token whose successor a device has used.
  private static func confirm(
    _ access: String, replacing parent: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute("DELETE FROM token WHERE hash = \(parent)")
    try transaction.execute(
      "UPDATE token SET parent = NULL WHERE hash = \(Secret.hash(access))")
  }

  /// Ends all tokens of the device that a refresh token names.
  ///
  /// Only tokens of the device contain the device's identity, which cannot be guessed. So a token
  /// with this identity was valid before, even if it is not valid now.
  private static func endFamily(
    of secret: String, in transaction: any WriteTransaction
  ) throws {
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == Secret.length else { return }
    try remove(device: String(parts[0]), in: transaction)
  }

  /// Removes the tokens of a device, which ends its event streams.
  public static func remove(device: String, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM token WHERE device = \(device)")
    try transaction.execute("DELETE FROM device WHERE id = \(device)")
  }

  /// Removes the tokens that are no longer valid, and devices without tokens.
  ///
  /// Complexity: O(*n*) in the number of tokens.
  public static func removeExpired(at now: Date, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM token WHERE expiry < \(now.timeIntervalSince1970)")
    try transaction.execute("DELETE FROM device WHERE id NOT IN (SELECT device FROM token)")
  }

  /// The device whose access token a request has in its field `Authorization`.
  ///
  /// - Throws: A `Problem` with status 401 without a valid token.
  public static func known(
    of request: Request, at now: Date, in store: any PersistenceService
  ) async throws -> Known {
    let field = request.headers["Authorization"] ?? ""
    let token = String(field.dropFirst(7))
    guard field.hasPrefix("Bearer "), token.utf8.count == Secret.length,
      let known = try await store.read({ try Self.known(token, kind: "access", at: now, in: $0) })
    else {
      throw Problem(
        .unauthorized, code: "invalid_token", detail: "Sign in to use this resource.",
        headers: ["WWW-Authenticate": "Bearer"])
    }
    if let parent = known.parent {
      try await store.write { try Self.confirm(token, replacing: parent, in: $0) }
    }
    return known
  }

  /// An unexpired token; `nil` for any other text.
  private static func known(
    _ secret: String, kind: String, at now: Date, in transaction: any ReadTransaction
  ) throws -> Known? {
    // The system's hash function refuses long texts.
    guard secret.utf8.count <= 2 * Secret.length + 1 else { return nil }
    let query: SQL = """
      SELECT account, device, parent FROM token
      WHERE hash = \(try Secret.hash(secret)) AND kind = \(kind)
      AND expiry > \(now.timeIntervalSince1970)
      """
    return try transaction.row(query, as: Row.self).map {
      Known(account: $0.account, device: $0.device, parent: $0.parent)
    }
  }

  private struct Row: Decodable {
    var account: String
    var device: String
    var parent: String?
  }
}
