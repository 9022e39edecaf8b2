package import CausewayData
import Foundation
package import HarborDomain
import Synchronization

/// The records of a collection at a place, for the pages in the process of the backend.
///
/// A change is checked by the same rules and limits, in the same kind of transaction, as a change
/// that a device sends. It needs no receipt, because a page gets the answer of the transaction.
package struct HostedCollection<Mutation: CausewayData.Mutation>: Sendable
where Mutation.Record.ID == String {
  package typealias Record = Mutation.Record

  private let backend: Backend
  private let collection: Collection<Mutation>
  private let place: Place
  private let account: String

  fileprivate init(
    _ backend: Backend, _ collection: Collection<Mutation>, at place: Place, as account: String
  ) {
    (self.backend, self.collection, self.place, self.account) = (
      backend, collection, place, account
    )
  }

  /// Yields the values of all records, now and after each change.
  ///
  /// All calls for a place share one live query. After a change, only changed records are decoded.
  /// Records that cannot be read are left out. The stream does not check the access of the account.
  ///
  /// - Parameters:
  ///   - precedes: The order of the values; `nil` for the order of their ids.
  ///   - convert: Makes the value of a record. Called once for each version of a record.
  package func values<Value: Sendable>(
    sortedBy precedes: (@Sendable (Value, Value) -> Bool)? = nil,
    _ convert: @escaping @Sendable (Record) -> Value
  ) -> AsyncThrowingStream<[Value], any Error> {
    let records = Records(place: place, collection: collection.name)
    let query: SQL = """
      SELECT id, version, body FROM record WHERE \(records.filter) AND body IS NOT NULL ORDER BY id
      """
    let known = KnownValues<Record, Value>(sortedBy: precedes)
    return .rows(of: backend.store.observe(query, as: StoredRecord.self).versions) {
      known.update($0, convert)
    }
  }

  /// Applies a change, and returns the record after it.
  ///
  /// - Parameter mutation: Receives the record, or `nil` if there is none. Returns the change, or
  ///   `nil` for no change. Called in the transaction.
  /// - Throws: The error of the closure; an error with a sentence for people if the change was
  ///   refused or could not be stored.
  @discardableResult
  package func change(
    _ id: String, by mutation: @escaping @Sendable (Record?) throws -> Mutation?
  ) async throws -> Record? {
    try backend.rates.count(changes: 1, by: account, at: place)
    let now = backend.now()
    return try await backend.store.write { [self] transaction in
      try Identity(account: account).check(place, in: transaction)
      return try collection.change(
        id, of: Records(place: place, collection: collection.name), as: account, on: now,
        within: backend.quotas, in: transaction, by: mutation
      ).record
    }
  }

  /// Applies a change without a condition.
  package func apply(_ mutation: Mutation) async throws {
    try await change(mutation.recordID) { _ in mutation }
  }
}

/// The collections of an account, for the pages in the process of the backend.
extension Backend {
  package func activities(of group: String, as account: String) -> HostedCollection<
    ActivityMutation
  > {
    HostedCollection(self, Rules.activities, at: .group(group), as: account)
  }

  package func people(of group: String, as account: String) -> HostedCollection<PersonMutation> {
    HostedCollection(self, Rules.people, at: .group(group), as: account)
  }

  package func links(of account: String) -> HostedCollection<LinkMutation> {
    HostedCollection(self, Rules.links, at: .account(account), as: account)
  }

  package func groups(of account: String) -> HostedCollection<GroupMutation> {
    HostedCollection(self, Groups.collection, at: .account(account), as: account)
  }
}

/// A record as the database stores it.
private struct StoredRecord: Decodable, Equatable, Sendable {
  var id: String
  var version: Int64
  var body: String
}

/// The values of the records of the last run of a live query.
private final class KnownValues<Record: Decodable & Sendable, Value: Sendable>: Sendable {
  fileprivate struct State {
    var rows: LiveRows<StoredRecord>?
    /// The value of each row; `nil` if the row cannot be read.
    var values: [Value?] = []
    /// The places of the rows in the order of their values; empty after other rows have arrived.
    var order: [Int] = []
  }

  private let precedes: (@Sendable (Value, Value) -> Bool)?
  private let state = Mutex(State())

  init(sortedBy precedes: (@Sendable (Value, Value) -> Bool)?) { self.precedes = precedes }

  /// Returns the values of all records in their order, and decodes those that have changed.
  ///
  /// Complexity: O(*n*), and O(*n* log *n*) if the order has changed. Not for concurrent calls.
  func update(_ rows: LiveRows<StoredRecord>, _ convert: (Record) -> Value) -> [Value] {
    var known = state.withLock { state in
      defer { state = State() }
      return state
    }
    let decoder = JSONDecoder()
    for index in known.takePlaces(of: rows) {
      let record = try? decoder.decode(Record.self, from: Data(rows[index].body.utf8))
      known.values[index] = record.map(convert)
    }
    if let precedes { known.sort(by: precedes) }
    state.withLock { [known] in $0 = known }
    guard precedes != nil else { return known.values.compactMap(\.self) }
    return known.order.compactMap { known.values[$0] }
  }
}

extension KnownValues.State {
  /// The largest number of changed rows that are looked up one by one.
  private static var lookupLimit: Int { 16 }

  /// Replaces the rows, and returns the places whose values must be made.
  fileprivate mutating func takePlaces(of new: LiveRows<StoredRecord>) -> [Int] {
    defer { rows = new }
    guard let old = rows else {
      values = Array(repeating: nil, count: new.count)
      return Array(new.indices)
    }
    if let places = replacedPlaces(from: old, to: new) { return places }
    order = []
    let pairs = zip(old, values).lazy.map { ($0.id, (version: $0.version, value: $1)) }
    let known = Dictionary(pairs) { first, _ in first }
    values = new.map { known[$0.id]?.value }
    return zip(new.indices, new).filter { known[$1.id]?.version != $1.version }.map(\.0)
  }

  /// The places of the changed rows if all rows have kept their places; `nil` if that is not known.
  private func replacedPlaces(
    from old: LiveRows<StoredRecord>, to new: LiveRows<StoredRecord>
  ) -> [Int]? {
    guard let changed = new.changedIDs, changed.count <= Self.lookupLimit, old.count == new.count
    else { return nil }
    let places = changed.compactMap { new.index(of: $0) }
    let haveStayed = places.count == changed.count && places.allSatisfy { old[$0].id == new[$0].id }
    return haveStayed ? places : nil
  }

  /// Orders the places of the rows by their values.
  ///
  /// Most changes of records keep the order.
  fileprivate mutating func sort(by precedes: (Value, Value) -> Bool) {
    func isBefore(_ left: Int, _ right: Int) -> Bool {
      guard let second = values[right] else { return values[left] != nil }
      return values[left].map { precedes($0, second) } ?? false
    }
    let isSorted =
      order.count == values.count
      && zip(order, order.dropFirst()).allSatisfy { !isBefore($1, $0) }
    if !isSorted { order = values.indices.sorted(by: isBefore) }
  }
}
