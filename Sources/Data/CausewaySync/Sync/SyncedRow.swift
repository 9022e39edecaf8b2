import CausewayBasics

/// A record with the additional columns of a synced table, such as its account and its scope.
struct SyncedRow<Record> {
  var record: Record
  var account: AccountID
  var scope: SyncScope
  /// The number of the read that delivered the row.
  ///
  /// A snapshot deletes the rows of earlier reads.
  ///
  /// In the overlay, it is instead the sequence number of the last mutation that the row contains.
  var read = 0
  /// In the overlay only: whether the record is hidden.
  var isDeleted = false
}

extension SyncedRow: Encodable where Record: Encodable {
  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var container = encoder.container(keyedBy: SyncColumn.self)
    try container.encode(account.rawValue, forKey: .syncAccount)
    try container.encode(scope.rawValue, forKey: .syncScope)
    try container.encode(read, forKey: .syncRead)
    try container.encode(isDeleted, forKey: .syncDeleted)
  }
}

extension SyncedRow: Decodable where Record: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SyncColumn.self)
    self.init(
      record: try Record(from: decoder),
      account: AccountID(try container.decode(String.self, forKey: .syncAccount)),
      scope: SyncScope(try container.decode(String.self, forKey: .syncScope)),
      read: try container.decode(Int.self, forKey: .syncRead),
      isDeleted: try container.decode(Bool.self, forKey: .syncDeleted))
  }
}
