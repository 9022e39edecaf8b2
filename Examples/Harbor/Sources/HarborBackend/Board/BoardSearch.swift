import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// Finds activities by the columns of ``ActivityTimes``.
struct BoardSearch {
  let records: Records
  let transaction: any ReadTransaction

  /// The start of one of the activities that meet a condition.
  func start(_ condition: SQL, _ order: SQL, after count: Int) throws -> Double? {
    try transaction.row(
      """
      SELECT begins FROM record WHERE \(records.filter) AND \(condition)
      ORDER BY \(order) LIMIT 1 OFFSET \(count)
      """, as: Double.self)
  }

  /// The number of the records that meet a condition.
  func count(_ condition: SQL) throws -> Int {
    try transaction.row(
      "SELECT count(*) FROM record WHERE \(records.filter) AND \(condition)", as: Int.self) ?? 0
  }

  /// The activities that meet a condition and can be read.
  func activities(_ condition: SQL) throws -> [Activity] {
    try rows(condition).compactMap(\.activity)
  }

  /// The rows that meet a condition.
  func rows(_ condition: SQL) throws -> [BoardRow] {
    try transaction.rows(
      "SELECT id, body, begins, ends FROM record WHERE \(records.filter) AND \(condition)",
      as: BoardRow.self)
  }
}

/// A row of an activity.
struct BoardRow: Decodable {
  var id: String
  var body: String?
  var begins, ends: Double?

  var activity: Activity? {
    body.flatMap {
      try? JSONDecoder().decode(ActivityRecord.self, from: Data($0.utf8)).activity()
    }
  }
}
