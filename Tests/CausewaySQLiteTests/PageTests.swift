import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Testing

/// Queries for a part of the rows, and live queries without a database.
@Suite(.timeLimit(.minutes(10))) struct PageTests {
  private func makeService() async throws -> InMemoryPersistenceService {
    let service = try InMemoryPersistenceService(migrations: boats)
    try await service.write { transaction in
      for id in 1...25 {
        try transaction.insert(Boat(id: id, name: "\(id % 3)"), into: "boat")
      }
    }
    return service
  }

  @Test(arguments: [false, true])
  func `Pages by key return each row once, also when rows change between them`(
    _ isDescending: Bool
  ) async throws {
    let service = try await makeService()
    let query: SQL = "SELECT * FROM boat WHERE id > \(0)"
    var last: Boat?
    var found: [Boat] = []
    repeat {
      let key = last.map { [$0.name, $0.id] as [any SQLConvertible] }
      let next = query.page(
        orderedBy: ["name", "id"], after: key, isDescending: isDescending, limit: 10)
      let page = try await service.read { try $0.rows(next, as: Boat.self) }
      found += page
      last = page.last
      // A deleted row of an earlier page moves no row to another page.
      if let first = found.first {
        try await service.write { try $0.delete(first, from: "boat") }
      }
    } while last != nil
    let sorted = found.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    #expect(found == (isDescending ? sorted.reversed() : sorted))
    #expect(Set(found.map(\.id)) == Set(1...25))
    #expect(found.count == 25)
  }

  @Test func `A live query with a limit returns the first rows`() async throws {
    let service = try await makeService()
    var versions = service.observe("SELECT id FROM boat ORDER BY id", as: Int.self, limit: 2)
      .makeAsyncIterator()
    #expect(try await versions.next() == [1, 2])
    try await service.write { try $0.execute("DELETE FROM boat WHERE id = 1") }
    #expect(try await versions.next() == [2, 3])
  }

  @Test func `A source decides the versions and the end of its live queries`() async throws {
    let source = LiveQuerySource([1])
    var versions = source.query().makeAsyncIterator()
    #expect(try await versions.next() == [1])
    source.send([2])
    source.send([3])
    #expect(try await versions.next() == [3])
    var late = source.query().makeAsyncIterator()
    #expect(try await late.next() == [3])
    let error = PersistenceError(.full, message: "The disk is full")
    source.fail(error)
    await #expect(throws: error) { try await versions.next() }
    await #expect(throws: error) { try await late.next() }
    source.send([4])
    var again = source.query().makeAsyncIterator()
    #expect(try await again.next() == [4])
    source.finish()
    #expect(try await again.next() == nil)
  }
}
