import CausewayData
import CausewaySQLite
import Foundation
import Testing

private struct Voyage: Codable, Equatable, Sendable {
  enum State: String, Codable { case planned, done }
  var id = UUID()
  var title = ""
  var start = Date(timeIntervalSinceReferenceDate: 0)
  var state = State.planned
  var seats = 4
  var note: String? = "note"
  var tags: [String] = []
}

@Suite struct TableCheckTests {
  private func problems(_ create: SQL) async throws -> [TableProblem] {
    let service = try InMemoryPersistenceService(migrations: [Migration("create", create)])
    return try await service.problems(in: [TableCheck("voyage", sample: Voyage())])
  }

  @Test func `A table that fits has no problems`() async throws {
    let create: SQL = """
      CREATE TABLE voyage (
        id TEXT PRIMARY KEY, TITLE TEXT NOT NULL, start REAL NOT NULL, state TEXT NOT NULL,
        seats INTEGER NOT NULL, note TEXT, tags TEXT NOT NULL, extra TEXT,
        other TEXT NOT NULL DEFAULT '')
      """
    #expect(try await problems(create) == [])
  }

  @Test func `Missing columns, wrong types and wrong nullability are named`() async throws {
    let create: SQL = """
      CREATE TABLE voyage (
        id INTEGER PRIMARY KEY, start TEXT NOT NULL, state TEXT, seats TEXT NOT NULL,
        note TEXT NOT NULL, tags TEXT NOT NULL, extra TEXT NOT NULL)
      """
    let problems = try await problems(create)
    #expect(
      problems == [
        TableProblem(table: "voyage", column: "id", kind: .typeDiffers(declared: "INTEGER")),
        TableProblem(table: "voyage", column: "title", kind: .columnMissing),
        TableProblem(table: "voyage", column: "start", kind: .typeDiffers(declared: "TEXT")),
        TableProblem(table: "voyage", column: "state", kind: .columnMayBeNull),
        TableProblem(table: "voyage", column: "seats", kind: .typeDiffers(declared: "TEXT")),
        TableProblem(table: "voyage", column: "note", kind: .propertyMayBeNil),
        TableProblem(table: "voyage", column: "extra", kind: .propertyMissing),
      ])
    for problem in problems { #expect(problem.description.contains("\"voyage\"")) }
  }

  @Test func `A missing table is a problem`() async throws {
    #expect(
      try await problems("CREATE TABLE other (id)") == [
        TableProblem(table: "voyage", kind: .tableMissing)
      ])
  }

  @Test func `An integer that is a part of a composite key needs a value`() async throws {
    let columns: SQL = """
      id TEXT NOT NULL, title TEXT NOT NULL, start REAL NOT NULL, state TEXT NOT NULL,
      seats INTEGER NOT NULL, note TEXT, tags TEXT NOT NULL, number INTEGER NOT NULL
      """
    #expect(
      try await problems("CREATE TABLE voyage (\(columns), PRIMARY KEY (id, number))") == [
        TableProblem(table: "voyage", column: "number", kind: .propertyMissing)
      ])
    #expect(
      try await problems("CREATE TABLE voyage (\(columns), PRIMARY KEY (number))") == [])
  }
}
