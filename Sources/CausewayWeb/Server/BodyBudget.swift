/// Limits the bytes of all request bodies in memory, and the share of each client.
///
/// A client that sends a body and withholds its last byte keeps the bytes until the deadline of the
/// body. With a share, such a client takes no room from the others.
struct BodyBudget {
  /// The part of the limit that one client may hold.
  private static let shares = 8

  private let limit: Int
  private(set) var total = 0
  private var heldByOwner: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Counts bytes, or throws if there is no room for them.
  ///
  /// The only body of the server, and the only body of a client within the limit of the server, may
  /// be larger than the limit. So a limit below `bodyBytes` does not refuse every large body.
  ///
  /// - Parameters:
  ///   - count: The new bytes of a body.
  ///   - held: The bytes of the same body that are already counted.
  ///   - owners: The clients that the body counts for; the same for all its bytes.
  mutating func reserve(_ count: Int, beside held: Int, for owners: [String]) throws(Problem) {
    guard total == held || total + count <= limit else { throw Self.noRoom }
    for owner in owners {
      let own = heldByOwner[owner, default: 0]
      guard own == held || own + count <= limit / Self.shares else { throw Self.tooMany }
    }
    total += count
    for owner in owners { heldByOwner[owner, default: 0] += count }
  }

  /// Removes the bytes of a body.
  mutating func release(_ count: Int, for owners: [String]) {
    total -= count
    for owner in owners {
      let rest = heldByOwner[owner, default: 0] - count
      heldByOwner[owner] = rest > 0 ? rest : nil
    }
  }

  private static let noRoom = Problem(
    .serviceUnavailable, code: "too-many-bodies",
    detail: "The server holds too many request bodies; try again later.",
    headers: ["Retry-After": "1"])

  private static let tooMany = Problem(
    .tooManyRequests, code: "too-many-bodies",
    detail: "The server holds too many request bodies of this client; try again later.",
    headers: ["Retry-After": "1"])
}
