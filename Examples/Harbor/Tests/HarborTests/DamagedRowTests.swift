import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import HarborFeatures
import Testing

@testable import HarborApp

/// Rows that were stored before the server checked their values.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A row with an impossible value` {
  @Test(arguments: [1e308, -1e308, 1e15, -1e15, 253_402_300_800, -62_135_596_801])
  func `is shown, changed and removed by a member`(date: Double) async throws {
    try await LocalHarbor.with { harbor in
      let account = try #require(harbor.device.account)
      let group = try #require(harbor.device.group)
      let board = account.board(of: group.id).activities
      var bad = record("Thursday swim", id: "bad")
      (bad.start, bad.created, bad.updated, bad.revision) = (date, date, date, .max)
      let body = String(decoding: try JSONEncoder().encode(bad), as: UTF8.self)
      let scope = Place.group(group.id).scope
      try await harbor.store.write { [sql = body] transaction in
        try transaction.execute("DELETE FROM feed WHERE scope = \(scope)")
        try transaction.execute(
          "INSERT INTO feed (scope, collection, version) VALUES (\(scope), 'activities', 100)")
        try transaction.execute(
          """
          INSERT INTO record (scope, collection, id, version, body)
          VALUES (\(scope), 'activities', 'bad', 100, \(sql))
          """)
      }
      var boards = board.activities().makeAsyncIterator()
      var received: Activity?
      while received == nil, let list = try await boards.next() {
        received = list.first { $0.id == "bad" }
      }
      let shown = try #require(received)
      for path in ["/", "/past", "/people", "/search", "/account"] {
        let page = try await PlainRequest(
          address: harbor.pages + path, headers: ["Accept": "text/html"]
        ).answer()
        #expect(page.status == 200)
        if path == (date > 0 ? "/" : "/past") { #expect(page.text.contains("Thursday swim")) }
      }
      let details = ActivityDetails(
        title: "Friday swim", place: nil, notes: nil, start: shown.details.start)
      let changed = try await board.update("bad", to: details, basedOn: shown.revision)
      #expect(changed.details.title == "Friday swim")
      try await board.delete("bad")
      while let list = try await boards.next(), !list.isEmpty {}
    }
  }
}
