import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// A kind of records that devices synchronise, and the rules for their changes.
struct Collection<Mutation: CausewayData.Mutation>: Sendable where Mutation.Record.ID == String {
  /// Checks a change before it is applied, in its transaction.
  ///
  /// - Throws: ``Refusal``.
  typealias Check = @Sendable (Change, any WriteTransaction) throws -> Void
  /// Checks that the account may make a valid change, in its transaction.
  ///
  /// - Returns: The names that the change makes the account's own. The names are claimed after all
  ///   checks, because a refused change must claim no name.
  /// - Throws: ``Refusal``.
  typealias Permission = @Sendable (Change, any ReadTransaction) throws -> [String]
  /// Changes other tables, and the record after the change, in its transaction.
  typealias Effect = @Sendable (Change, inout Mutation.Record?, any WriteTransaction) throws -> Void

  /// A change with the values that the checks need.
  struct Change {
    var mutation: Mutation
    /// The record before the change.
    var record: Mutation.Record?
    var place: Place
    var account: String
    /// The server's date.
    var date: Date
  }

  /// The name in addresses and in the database.
  var name: String
  /// The limit of records at a place, such as a group.
  var quota: Quota
  /// The owner of a place, such as "this group".
  var owner: String
  /// The longest id of a record, in bytes.
  var longestID = 100
  /// Whether a change removes its record, whatever the record contains.
  var removes: @Sendable (Mutation) -> Bool
  /// Returns how much a change uses of the limit by the minute.
  var cost: @Sendable (Mutation) -> Int = { _ in 1 }
  var check: Check
  var permission: Permission = { _, _ in [] }
  var effect: Effect = { _, _, _ in }
}

/// The reason why a change is refused, as a sentence for people.
struct Refusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension Collection {
  /// Applies a change once; a repeated key gets the same answer.
  ///
  /// One transaction stores the change, its version and its receipt.
  func apply(
    _ sent: SentChange<Mutation>, at place: Place, as account: String, on date: Date,
    within quotas: Quotas, in transaction: any WriteTransaction
  ) throws -> ChangeAnswer {
    if let known = try Receipts.answer(to: sent.key.rawValue, of: account, in: transaction) {
      return try JSONDecoder().decode(ChangeAnswer.self, from: Data(known.utf8))
    }
    guard (1...100).contains(sent.key.rawValue.utf8.count) else {
      return ChangeAnswer(refusal: "The key of the change is empty or too long.")
    }
    let answer = try answer(
      to: sent.mutation, at: place, as: account, on: date, within: quotas, in: transaction)
    let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    try Receipts.add(text, key: sent.key.rawValue, of: account, at: date, in: transaction)
    return answer
  }

  /// Checks a change by the rules of all collections and of this one.
  ///
  /// - Throws: ``Refusal``.
  func verify(_ change: Change, in transaction: any WriteTransaction) throws {
    guard (1...longestID).contains(change.mutation.recordID.utf8.count) else {
      throw Refusal("The id of the record is empty or too long.")
    }
    do {
      try check(change, transaction)
    } catch  where error is ActivityProblems || error is PersonNameProblem || error is LinkProblem {
      throw Refusal("\(error)")
    }
  }

  private func answer(
    to mutation: Mutation, at place: Place, as account: String, on date: Date,
    within quotas: Quotas, in transaction: any WriteTransaction
  ) throws -> ChangeAnswer {
    let records = Records(place: place, collection: name)
    do {
      let (_, version) = try change(
        mutation.recordID, of: records, at: place, as: account, on: date, within: quotas,
        in: transaction
      ) { _ in mutation }
      return ChangeAnswer(version: SyncVersion(try version ?? records.version(in: transaction)))
    } catch  where error is Refusal || error is StoredRecords.Exhausted {
      return ChangeAnswer(refusal: "\(error)")
    }
  }

  /// Checks a change of a record by all rules, and stores it.
  ///
  /// - Parameter mutation: Receives the record, or `nil` if there is none that can be read. Returns
  ///   the change, or `nil` for no change.
  /// - Returns: The record after the change, and its new version; `nil` without a difference.
  /// - Throws: ``Refusal``, or an error of the closure.
  func change(
    _ id: String, of records: Records, at place: Place, as account: String, on date: Date,
    within quotas: Quotas, in transaction: any WriteTransaction,
    by mutation: (Mutation.Record?) throws -> Mutation?
  ) throws -> (record: Mutation.Record?, version: Int64?) {
    let stored = try records.body(of: id, in: transaction)
    let before = stored.flatMap {
      try? JSONDecoder().decode(Mutation.Record.self, from: Data($0.utf8))
    }
    guard let mutation = try mutation(before) else { return (before, nil) }
    // Another program has written the record.
    let isUnreadable = stored != nil && before == nil
    if isUnreadable, !removes(mutation) {
      throw Refusal("The server cannot read this record. You can only delete it.")
    }
    let change = Change(
      mutation: mutation, record: before, place: place, account: account, date: date)
    try verify(change, in: transaction)
    let names = try permission(change, transaction)
    var after = before
    mutation.apply(to: &after)
    if before == nil, after != nil {
      try quotas.check(quota, count: try records.count(in: transaction), "\(name) of \(owner)")
    }
    try Names.claim(names, for: account, at: place, within: quotas, in: transaction)
    try effect(change, &after, transaction)
    guard after != before || isUnreadable else { return (before, nil) }
    let body = try after.map { try Records.encoded($0) }
    let version = try records.put(body, id: id, in: transaction)
    if name == Rules.activities.name { try ActivityTables.follow(place, in: transaction) }
    return (after, version)
  }
}
