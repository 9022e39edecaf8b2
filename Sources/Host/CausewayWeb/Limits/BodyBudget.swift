/// Limits the bytes of all request bodies in memory, and the bytes of each client.
///
/// If a client does not send the last byte of a body, the server holds the body until its deadline.
/// With a limit for each client, such a client cannot take all the room.
struct BodyBudget {
  /// The part of the limit that one client may hold.
  private static let shares = 8

  private let limit: Int
  private(set) var total = 0
  private var heldByOwner: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Counts bytes, or throws if there is no room for them.
  ///
  /// A body may exceed the server's limit if the server holds no other body. It may exceed the
  /// client's limit if the client has no other body. So a limit below `bodyBytes` does not refuse
  /// every large body.
  ///
  /// - Parameters:
  ///   - count: The new bytes of a body.
  ///   - held: The bytes of the same body that are already counted.
  ///   - owners: The clients of the body. Pass the same clients in each call for a body.
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
