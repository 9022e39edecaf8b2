import CausewayData

/// How records of one type go into one table; kept, so that one record costs no more than its
/// encoding and its statement.
final class RecordPlan {
  struct Key: Hashable {
    let record: ObjectIdentifier
    let table: String
    /// `nil` for a plain insertion.
    let conflict: [String]?
  }

  let columns = RecordColumns()
  /// Fits the columns as long as their generation is `generation`.
  var statement: Statement?
  var generation = 0
}
