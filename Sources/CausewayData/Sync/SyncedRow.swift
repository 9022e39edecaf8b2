/// A record as a synced table stores it: its own columns, whose it is, and how it came.
struct SyncedRow<Record: Encodable>: Encodable {
  var record: Record
  var account: AccountID
  var scope: SyncScope
  /// The number of the read that it came with; tells what a snapshot has left out.
  var read = 0
  /// For the overlay: the record is to be hidden.
  var isDeleted = false

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var container = encoder.container(keyedBy: SyncColumn.self)
    try container.encode(account.rawValue, forKey: .syncAccount)
    try container.encode(scope.rawValue, forKey: .syncScope)
    try container.encode(read, forKey: .syncRead)
    try container.encode(isDeleted, forKey: .syncDeleted)
  }
}
