import CausewayData
import Foundation
import HarborDomain

/// A kind of records that devices synchronise, and the rules for their changes.
struct Collection<Mutation: CausewayData.Mutation>: Sendable where Mutation.Record.ID == String {
  /// Checks a change before it is applied, in its transaction.
  ///
  /// - Throws: ``Refusal``.
  typealias Check = @Sendable (Change, any WriteTransaction) throws -> Void
  /// Changes other tables after a change was applied, in its transaction.
  typealias Effect = @Sendable (Change, any WriteTransaction) throws -> Void

  /// A change with the values that the checks need.
  struct Change {
    var mutation: Mutation
    var record: Mutation.Record?
    var place: Place
    var account: String
    /// The server's date.
    var date: Date
  }

  /// The name in addresses and in the database.
  var name: String
  /// The limit of its records at a place.
  var quota: Quota
  /// The owner of a place, such as "this group".
  var owner: String
  var check: Check
  var effect: Effect = { _, _ in }
}

/// The reason why a change is refused, as a sentence for people.
struct Refusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Collection {
  /// Applies a change once; a repeated key gets the same answer.
  ///
  /// One transaction stores the change, its version and its receipt.
  func apply(
    _ sent: SentChange<Mutation>, at place: Place, as account: String, on date: Date,
    within quotas: Quotas, in transaction: any WriteTransaction
  ) throws -> ChangeAnswer {
    let receipt: SQL = """
      SELECT answer FROM receipt WHERE account = \(account) AND key = \(sent.key.rawValue)
      """
    if let known = try transaction.row(receipt, as: String.self) {
      return try JSONDecoder().decode(ChangeAnswer.self, from: Data(known.utf8))
    }
    guard Self.lengths.contains(sent.key.rawValue.utf8.count) else {
      return ChangeAnswer(refusal: "The key of the change is empty or too long.")
    }
    let answer = try answer(
      to: sent.mutation, at: place, as: account, on: date, within: quotas, in: transaction)
    let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    try transaction.execute(
      """
      INSERT INTO receipt (account, key, answer, created)
      VALUES (\(account), \(sent.key.rawValue), \(text), \(date.timeIntervalSince1970))
      """)
    return answer
  }

  /// Checks a change by the rules of all collections and of this one.
  ///
  /// - Throws: ``Refusal``.
  func verify(_ change: Change, in transaction: any WriteTransaction) throws {
    guard Self.lengths.contains(change.mutation.recordID.utf8.count) else {
      throw Refusal("The id of the record is empty or too long.")
    }
    try check(change, transaction)
  }

  /// The lengths of ids and keys, in bytes.
  private static var lengths: ClosedRange<Int> { 1...100 }

  private func answer(
    to mutation: Mutation, at place: Place, as account: String, on date: Date,
    within quotas: Quotas, in transaction: any WriteTransaction
  ) throws -> ChangeAnswer {
    let records = Records(place: place, collection: name)
    let id = mutation.recordID
    var change = Change(
      mutation: mutation,
      record: try records.body(of: id, in: transaction).map {
        try JSONDecoder().decode(Mutation.Record.self, from: Data($0.utf8))
      }, place: place, account: account, date: date)
    let before = change.record
    do {
      try verify(change, in: transaction)
      mutation.apply(to: &change.record)
      if before == nil, change.record != nil {
        try quotas.check(
          quota, count: try records.count(in: transaction), "\(name) of \(owner)")
      }
    } catch let refusal as Refusal {
      return ChangeAnswer(refusal: refusal.description)
    }
    guard change.record != before else {
      return ChangeAnswer(version: try records.version(in: transaction))
    }
    let body = try change.record.map { try Records.encoded($0) }
    let version = try records.put(body, id: id, in: transaction)
    try effect(change, transaction)
    return ChangeAnswer(version: version)
  }
}
