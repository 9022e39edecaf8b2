/// A record as the app shows it: the server's record with its pending mutations.
@dynamicMemberLookup
public struct Synced<Record> {
  /// The record.
  public var record: Record
  /// Whether the record has a mutation that the stored data of the server does not contain yet.
  public var isPending: Bool
  /// Whether a mutation of the record was permanently refused and its effect was reverted.
  ///
  /// It stays true until the dead letter is sent again or discarded. If a creation is refused,
  /// there is no record; ``SyncEngine/rejections()`` yields the mutation.
  public var isRejected: Bool

  /// Makes a record, for tests and previews.
  public init(_ record: Record, isPending: Bool = false, isRejected: Bool = false) {
    self.record = record
    self.isPending = isPending
    self.isRejected = isRejected
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
  /// Decodes the columns of the record, `syncPending`, and `syncRejected` if the query selects it.
  public init(from decoder: any Decoder) throws {
    record = try Record(from: decoder)
    let columns = try decoder.container(keyedBy: SyncColumn.self)
    isPending = try columns.decode(Bool.self, forKey: .syncPending)
    isRejected = try columns.decodeIfPresent(Bool.self, forKey: .syncRejected) ?? false
  }
}

/// The columns of a synced table that its records do not have.
enum SyncColumn: String, CodingKey {
  case syncAccount, syncScope, syncRead, syncDeleted, syncPending, syncRejected
}
