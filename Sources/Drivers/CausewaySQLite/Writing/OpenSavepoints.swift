import CausewayDatabase

/// The savepoints that the closure of a transaction has begun.
///
/// A closure must not release or roll back a savepoint of the service.
struct OpenSavepoints {
  /// The savepoint of a write that shares its commit with other writes.
  static let ofWrite = "causeway_write"

  private var names: [String] = []

  /// Throws if a statement would end a savepoint that is not open here.
  func check(_ savepoint: StatementAccess.Savepoint, sql: String) throws(PersistenceError) {
    let isAllowed =
      savepoint.begins ? savepoint.name != Self.ofWrite : names.contains(savepoint.name)
    guard !isAllowed else { return }
    throw PersistenceError(
      .statement,
      message: savepoint.begins
        ? "The service uses a savepoint of this name"
        : "This transaction has no open savepoint \"\(savepoint.name)\"",
      sql: sql)
  }

  /// Called after a statement has succeeded.
  mutating func note(_ savepoint: StatementAccess.Savepoint) {
    if savepoint.begins { return names.append(savepoint.name) }
    guard let index = names.lastIndex(of: savepoint.name) else { return }
    names.removeSubrange((savepoint.releases ? index : index + 1)...)
  }
}
