/// A record as it is shown: the server's record with the effect of its pending mutations.
@dynamicMemberLookup
public struct Synced<Record> {
  /// The record.
  public var record: Record
  /// Whether the record has a mutation that the server's data does not contain yet.
  public var isPending: Bool

  /// Creates a record, for tests and previews.
  public init(_ record: Record, isPending: Bool = false) {
    self.record = record
    self.isPending = isPending
  }

  /// A property of the record.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Value {
    record[keyPath: keyPath]
  }
}

extension Synced: Sendable where Record: Sendable {}
extension Synced: Equatable where Record: Equatable {}
extension Synced: Hashable where Record: Hashable {}

extension Synced: Identifiable where Record: Identifiable {
  /// The record's identifier.
  public var id: Record.ID { record.id }
}

extension Synced: Decodable where Record: Decodable {
  /// Decodes the columns of the record and `syncPending` from the view of a synced table.
  public init(from decoder: any Decoder) throws {
    record = try Record(from: decoder)
    isPending = try decoder.container(keyedBy: SyncColumn.self)
      .decode(Bool.self, forKey: .syncPending)
  }
}

/// The columns of a synced table that are not columns of its records.
enum SyncColumn: String, CodingKey {
  case syncAccount, syncScope, syncRead, syncDeleted, syncPending
}
