import CausewayData
import CausewaySQLite
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Texts beyond ASCII` {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ store: Store, _ names: [String]) async throws -> any PersistenceService {
    let service = try await store.open(directory, boats)
    try await service.write { transaction in
      for (id, name) in names.enumerated() {
        try transaction.insert(Boat(id: id, name: name), into: "boat")
      }
    }
    return service
  }

  @Test(arguments: Store.allCases)
  func `are sorted as people expect`(_ store: Store) async throws {
    let names = ["Zoe", "Öl", "apfel", "Ärger", "Apfel", "éa", "eb", "ol", "東京", "", "z", "Äpfel"]
    let service = try await open(store, names)
    let sorted = try await service.read {
      try $0.rows("SELECT name FROM boat ORDER BY name COLLATE unicode", as: String.self)
    }
    #expect(
      sorted
        == ["", "apfel", "Apfel", "Äpfel", "Ärger", "éa", "eb", "ol", "Öl", "z", "Zoe", "東京"])
    try await service.close()
  }

  @Test(arguments: Store.allCases)
  func `are equal in every case and form`(_ store: Store) async throws {
    let service = try await open(
      store, ["ÄRGER", "a\u{308}rger", "Arger", "STRASSE", "Straße", "ΟΔΟΣ", "οδος"])
    func count(_ condition: SQL) async throws -> Int? {
      try await service.read {
        try $0.row("SELECT count(*) FROM boat WHERE \(condition)", as: Int.self)
      }
    }
    #expect(try await count("name = \("ärger") COLLATE unicode_nocase") == 2)
    #expect(try await count("name = \("ärger") COLLATE unicode") == 1)
    #expect(try await count("name = \("straße") COLLATE unicode_nocase") == 1)
    #expect(try await count("unicode_fold(name) = unicode_fold(\("Ärger"))") == 2)
    #expect(try await count("unicode_fold(name) LIKE unicode_fold(\("%RGE%"))") == 3)
    #expect(try await count("unicode_fold(name) LIKE unicode_fold(\("straß%"))") == 2)
    #expect(try await count("unicode_fold(name) = unicode_fold(\("Οδοσ"))") == 2)
    try await service.close()
  }

  @Test func `leave numbers, bytes and NULL unchanged`() async throws {
    let service = try InMemoryPersistenceService(migrations: [])
    let types = try await service.read { transaction in
      try (["NULL", "12", "1.5", "x'C384'", "''", "'Ä'"] as [SQL]).map {
        try transaction.row("SELECT quote(unicode_fold(\($0)))", as: String.self)
      }
    }
    #expect(types == ["NULL", "12", "1.5", "X'C384'", "''", "'ä'"])
    #expect(
      await failure {
        try await service.read {
          try $0.row("SELECT 'a' COLLATE klingon < 'b'", as: Int.self)
        }
      } == .statement)
  }
}
