/// The statements of the service itself that each transaction runs.
enum ControlStatement: Int, CaseIterable {
  case begin
  case beginWriting
  /// Takes the snapshot of a reading transaction, because BEGIN does not take it.
  case takeSnapshot
  case commit
  case rollBack

  var text: String {
    switch self {
    case .begin: "BEGIN"
    case .beginWriting: "BEGIN IMMEDIATE"
    case .takeSnapshot: "SELECT 1 FROM sqlite_schema LIMIT 1"
    case .commit: "COMMIT"
    case .rollBack: "ROLLBACK"
    }
  }
}
