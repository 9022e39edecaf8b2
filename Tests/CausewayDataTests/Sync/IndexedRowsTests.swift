import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@testable import CausewaySync

/// The view of a synced table uses indexes, and its records are read in pages.
@Suite(.timeLimit(.minutes(10)))
struct IndexedRowsTests {
  private static let migrations =
    noteMigrations + [
      notes.migration(indexing: "title"), notes.migration(indexing: "place", "stars"),
    ]

  private func makeDesk() async throws -> (Desk, SyncEngine<NoteServer>) {
    let desk = try await Desk(
      persistence: InMemoryPersistenceService(migrations: Self.migrations))
    return (desk, desk.engine())
  }

  private struct Step: Decodable {
    var detail: String
  }

  private func plan(_ desk: Desk, _ rest: SQL) async throws -> [String] {
    try await desk.persistence.read {
      try $0.rows(
        """
        EXPLAIN QUERY PLAN SELECT * FROM note
        WHERE syncAccount = 'local' AND syncScope = 'all' \(rest)
        """, as: Step.self)
    }.map(\.detail)
  }

  @Test(
    arguments: [
      ("AND title = 'x' ORDER BY id", "title=?"),
      ("ORDER BY title LIMIT 20", "syncScope=?"),
      ("ORDER BY title DESC, id DESC LIMIT 20", "syncScope=?"),
      ("AND (title, id) > ('x', 'y') ORDER BY title, id LIMIT 20", "(title,id)>(?,?)"),
    ] as [(SQL, String)])
  func `a filter or an order by an indexed column searches the index in both tables`(
    query: SQL, columns: String
  ) async throws {
    let (desk, _) = try await makeDesk()
    let plan = try await plan(desk, query)
    for table in ["base", "overlay"] {
      let search = plan.first {
        $0.hasPrefix("SEARCH \(table) USING INDEX note_\(table)_by_title")
      }
      #expect(search?.contains(columns) == true, "\(plan)")
    }
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test func `a query in the order of an index needs no sorting`() async throws {
    let (desk, _) = try await makeDesk()
    for order in ["ORDER BY title, id LIMIT 20", "ORDER BY title DESC, id DESC LIMIT 20"] as [SQL] {
      let plan = try await plan(desk, order)
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }

  @Test func `a record is found by its identifier and not through another index`() async throws {
    let (desk, _) = try await makeDesk()
    for rest in ["AND id = 'x'", "AND id IN ('x', 'y') ORDER BY title"] as [SQL] {
      let plan = try await plan(desk, rest)
      #expect(plan.contains { $0.hasPrefix("SEARCH base") && $0.contains("id=?") }, "\(plan)")
    }
  }

  @Test func `indexes of different columns have different names`() async throws {
    struct Pair: Codable, Equatable, Sendable, Identifiable {
      var id: String
    }
    let table = SyncedTable<Pair>("pair")
    let columns: SQL = "id TEXT NOT NULL, a TEXT, b TEXT, c TEXT, a_b TEXT, b_c TEXT"
    let migrations =
      Outbox.migrations + [
        table.migration(columns: columns), table.migration(indexing: "a_b", "c"),
        table.migration(indexing: "a", "b_c"), table.migration(indexing: "a", "b", "c"),
      ]
    let service = try InMemoryPersistenceService(migrations: migrations)
    let names = try await service.read {
      try $0.rows("SELECT name FROM pragma_index_list('pair_base')", as: String.self)
    }
    #expect(names.count == 4)
  }

  @Test(arguments: [false, true])
  func `pages show each record once, with pending and deleted records`(
    isDescending: Bool
  ) async throws {
    let (desk, engine) = try await makeDesk()
    for number in 0..<20 {
      await desk.server.put(
        Note(id: "\(number)", title: "\(number % 4)", place: number % 3 == 0 ? nil : "p\(number)"))
    }
    try await engine.refresh()
    try await engine.perform(.remove(id: "5"))
    try await engine.perform(.rename(id: "6", title: "0"))
    try await engine.perform(.write(Note(id: "new", title: "2")))
    for columns in [["title"], ["place"], []] {
      var ids: [String] = []
      var last: Note?
      repeat {
        let page =
          switch columns {
          case ["title"]:
            try await engine.page(
              of: 3, orderedBy: "title", descending: isDescending, after: last)
          case ["place"]:
            try await engine.page(
              of: 3, orderedBy: "place", descending: isDescending, after: last)
          default: try await engine.page(of: 3, descending: isDescending, after: last)
          }
        ids += page.map(\.id)
        last = page.count == 3 ? page.last?.record : nil
      } while last != nil
      let names = SQL.list(
        (columns + ["id"]).map { name in
          isDescending ? "\(identifier: name) DESC" : "\(identifier: name)"
        })
      #expect(ids == (try await engine.rows(.cacheOnly, orderedBy: names).map(\.id)))
      #expect(ids.count == 20)
    }
  }

  @Test(arguments: [false, true])
  func `the case of a column's name makes no difference for pages`(_ isDescending: Bool)
    async throws
  {
    let (desk, engine) = try await makeDesk()
    for number in 0..<7 {
      await desk.server.put(
        Note(id: "\(number)", title: "\(number % 2)", place: number < 4 ? nil : "here"))
    }
    try await engine.refresh()
    var ids: [String] = []
    for column in ["TITLE", "Place", "ID"] {
      ids = []
      var last: Note?
      repeat {
        let page = try await engine.page(
          of: 3, orderedBy: column, descending: isDescending, after: last)
        ids += page.map(\.id)
        last = page.last?.record
      } while last != nil && ids.count < 10
      #expect(ids.count == 7 && Set(ids).count == 7, "\(column)")
    }
    #expect(ids == (isDescending ? ids.sorted().reversed() : ids.sorted()))
  }

  @Test(arguments: ["colour", "syncScope"])
  func `a page by a name that is no column of the record throws an error`(_ name: String)
    async throws
  {
    let (desk, engine) = try await makeDesk()
    await desk.server.put(Note(id: "a"), Note(id: "b"))
    try await engine.refresh()
    let error = await #expect(throws: PersistenceError.self) {
      try await engine.page(of: 1, orderedBy: name)
    }
    #expect(error?.kind == .statement)
    #expect(error?.message.contains(name) == true)
  }

  @Test func `a new record on an earlier page moves no record to the next page`() async throws {
    let (desk, engine) = try await makeDesk()
    await desk.server.put(Note(id: "b"), Note(id: "c"), Note(id: "d"))
    try await engine.refresh()
    let first = try await engine.page(of: 2)
    #expect(first.map(\.id) == ["b", "c"])
    try await engine.perform(.write(Note(id: "a")))
    try await engine.perform(.remove(id: "c"))
    let second = try await engine.page(of: 2, after: try #require(first.last).record)
    #expect(second.map(\.id) == ["d"])
    #expect(try await engine.page(of: 2, after: try #require(second.last).record).isEmpty)
  }

  @Test func `a limit ends the rows of a read and of an observation`() async throws {
    let (desk, engine) = try await makeDesk()
    await desk.server.put(Note(id: "a", stars: 1), Note(id: "b", stars: 3), Note(id: "c", stars: 2))
    try await engine.refresh()
    let rows = try await engine.rows(.cacheOnly, orderedBy: "stars DESC", limit: 2)
    #expect(rows.map(\.id) == ["b", "c"])
    var live = engine.observe(orderedBy: "stars DESC", limit: 1).makeAsyncIterator()
    #expect(try await live.next()?.map(\.id) == ["b"])
  }
}
