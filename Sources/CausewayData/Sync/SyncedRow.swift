/// A record with the additional columns of a synced table: account, scope, read and deletion.
struct SyncedRow<Record: Encodable>: Encodable {
  var record: Record
  var account: AccountID
  var scope: SyncScope
  /// The number of the read that delivered the row; a snapshot deletes the rows of earlier reads.
  var read = 0
  /// Only in the overlay: whether the record is hidden.
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
