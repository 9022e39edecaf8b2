import CausewayDatabase

/// The columns and the statement that store records of one type in one table.
final class RecordPlan {
  struct Key: Hashable {
    let record: ObjectIdentifier
    let table: String
    /// The columns of the key that may conflict; `nil` for a plain insertion.
    let conflict: [String]?
  }

  let columns = RecordColumns()
  /// The value of `columns.generation` for which the statement was compiled.
  var statement: Statement?
  var generation = 0
}
