import CausewayData
import CausewayWeb
import Foundation
import HarborDomain

/// The account of a request.
struct Identity: Sendable, Equatable {
  var account: String
  /// The device; empty for a page in the process of the backend.
  var device = ""

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
