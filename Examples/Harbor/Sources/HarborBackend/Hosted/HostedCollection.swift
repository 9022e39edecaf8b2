package import CausewayData
import CausewaySyncServer
import Foundation
package import HarborDomain

/// The records of a collection at a place, for the pages in the process of the backend.
///
/// A change is checked by the same rules and limits, in the same kind of transaction, as a change
/// that a device sends. It needs no receipt, because a page gets the answer of the transaction.
package struct HostedCollection<Mutation: CausewayData.Mutation>: Sendable
where Mutation.Record.ID == String {
  package typealias Record = Mutation.Record

  let backend: Backend
  private let collection: Collection<Mutation>
  private let place: Place
  private let account: String

  fileprivate init(
    _ backend: Backend, _ collection: Collection<Mutation>, at place: Place, as account: String
  ) {
    (self.backend, self.collection) = (backend, collection)
    (self.place, self.account) = (place, account)
  }

  /// Yields the values of all records, now and after each change.
  ///
  /// All calls for a place share one live query. After a change, only changed records are decoded.
  /// Records that cannot be read are left out. The stream does not check the access of the account.
  ///
  /// - Parameter convert: Makes the value of a record. Called once for each version of a record.
  package func values<Value: Sendable>(
    _ convert: @escaping @Sendable (Record) -> Value
  ) -> AsyncThrowingStream<[Value], any Error> {
    let known = converted(convert)
    return .rows(of: versions("\(rows) ORDER BY id")) { known.update($0) }
  }

  /// Yields a collection with the values of all records, now and after each change, like
  /// ``values(_:)``.
  ///
  /// The cost of a change depends on the changed records, not on the number of records.
  ///
  /// - Parameters:
  ///   - whole: The collection without values.
  ///   - replace: Replaces values of the collection by new ones.
  ///   - convert: Makes the value of a record. Called once for each version of a record.
  package func values<Whole: Sendable, Value: Sendable>(
    in whole: Whole,
    replacing replace: @escaping @Sendable (inout Whole, _ old: [Value], _ new: [Value]) -> Void,
    _ convert: @escaping @Sendable (Record) -> Value
  ) -> AsyncThrowingStream<Whole, any Error> {
    let known = converted(convert)
    // In the order of the row ids, SQLite's live queries find a changed row fastest.
    return .rows(of: versions(rows), from: whole) { whole, rows in
      let (removed, inserted) = known.changes(to: rows)
      replace(&whole, removed, inserted)
      return whole
    }
  }

  var records: Records { Records(place: place, collection: collection.name) }

  private var rows: SQL {
    "SELECT id, version, body FROM record WHERE \(records.filter) AND body IS NOT NULL"
  }

  private func versions(_ query: SQL) -> LiveQueryVersions<StoredRecord> {
    backend.store.observe(query, as: StoredRecord.self).versions
  }

  private func converted<Value: Sendable>(
    _ convert: @escaping @Sendable (Record) -> Value
  ) -> ConvertedRows<StoredRecord, Value> {
    ConvertedRows { row in
      (try? JSONDecoder().decode(Record.self, from: Data(row.body.utf8))).map(convert)
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
        id, of: records, at: place, as: account, on: now, within: backend.quotas, in: transaction,
        by: mutation
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
private struct StoredRecord: Decodable, Equatable, Identifiable, Sendable {
  var id: String
  var version: Int64
  var body: String
}
