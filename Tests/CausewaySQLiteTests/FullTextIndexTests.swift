import CausewayData
import CausewaySQLite
import Testing

private struct Essay: Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var body: String?
}

private struct Found: Codable, Equatable, Sendable {
  var id: Int
  var marked: String
}

@Suite(.timeLimit(.minutes(10))) struct FullTextIndexTests {
  private static let search = FullTextIndex(
    "articleSearch", of: "article", columns: ["title", "body"], prefixes: [2])
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(
    _ store: Store, _ search: FullTextIndex = search
  ) async throws -> any PersistenceService {
    let service = try await store.open(
      directory,
      [
        Migration(
          "articles", "CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT, body TEXT)",
          "INSERT INTO article VALUES (1, 'The harbour', 'Ships and a café')"),
        Migration("search", search.creation),
      ])
    try await service.write { transaction in
      try transaction.upsert(
        [
          Essay(id: 2, title: "Lighthouse keepers", body: "They keep the light in the harbour"),
          Essay(id: 3, title: "Tides", body: nil),
        ], into: "article", key: ["id"])
    }
    return service
  }

  private func ids(
    _ pattern: FullTextPattern, in service: any PersistenceService,
    _ search: FullTextIndex = search, weights: [String: Double] = [:]
  ) async throws -> [Int] {
    try await service.read {
      try $0.rows(search.matches(pattern, weights: weights), as: Essay.self).map(\.id)
    }
  }

  @Test(arguments: Store.allCases)
  func `Rows are found by their words, best match first`(_ store: Store) async throws {
    let service = try await open(store)
    #expect(try await ids(.init(allOf: "tides"), in: service) == [3])
    #expect(try await ids(.init(allOf: "CAFE ships"), in: service) == [1])
    #expect(try await ids(.init(allOf: "light keep"), in: service) == [2])
    #expect(try await ids(.init(allOf: "light keep", lastIsPrefix: false), in: service) == [2])
    #expect(try await ids(.init(allOf: "lighth"), in: service) == [2])
    #expect(try await ids(.init(allOf: "lighth", lastIsPrefix: false), in: service) == [])
    #expect(try await ids(.init(anyOf: "tides ships"), in: service).sorted() == [1, 3])
    #expect(try await ids(.init(phrase: "in the harbour"), in: service) == [2])
    #expect(try await ids(.init(phrase: "harbour the in"), in: service) == [])
    let pattern = FullTextPattern(allOf: "harbour")
    #expect(try await ids(pattern, in: service, weights: ["title": 10]) == [1, 2])
    #expect(try await ids(pattern, in: service, weights: ["title": 0, "body": 10]) == [2, 1])
    try await service.close()
  }

  @Test(arguments: Store.allCases)
  func `The index follows every change of its table`(_ store: Store) async throws {
    let service = try await open(store)
    try await service.write { transaction in
      try transaction.execute("UPDATE article SET body = 'Ebb and flow' WHERE id = 3")
      try transaction.upsert(
        Essay(id: 2, title: "Foghorns", body: nil), into: "article", key: ["id"])
      try transaction.execute("DELETE FROM article WHERE id = 1")
    }
    #expect(try await ids(.init(allOf: "flow"), in: service) == [3])
    #expect(try await ids(.init(allOf: "lighthouse"), in: service) == [])
    #expect(try await ids(.init(allOf: "foghorns"), in: service) == [2])
    #expect(try await ids(.init(allOf: "harbour"), in: service) == [])
    try await service.write {
      try $0.execute("INSERT INTO articleSearch (articleSearch) VALUES ('integrity-check')")
    }
    try await service.close()
  }

  @Test(arguments: [
    "", "  ", "\"", "AND", "a AND", "NEAR(", "title:", "*", "^tides", "-tides", "ti\0des", "(tides",
  ])
  func `Any text can be used as a pattern`(_ text: String) async throws {
    let service = try await open(.memory)
    for pattern in [
      FullTextPattern(allOf: text), FullTextPattern(anyOf: text), FullTextPattern(phrase: text),
    ] {
      _ = try await ids(pattern, in: service)
    }
    #expect(try await ids(.init(allOf: "^tides"), in: service) == [3])
    #expect(try await ids(.init(allOf: ""), in: service) == [])
  }

  @Test func `Matching words are marked`() async throws {
    let service = try await open(.memory)
    let search = Self.search
    let query = search.matches(
      .init(allOf: "harbour"),
      selecting: [search.highlight("title", as: "marked", start: "<b>", end: "</b>")],
      weights: ["title": 10], limit: 1)
    let found = try await service.read { try $0.rows(query, as: Found.self) }
    #expect(found == [Found(id: 1, marked: "The <b>harbour</b>")])
    let part = search.matches(
      .init(allOf: "light"), selecting: [search.snippet("body", as: "marked", words: 3)])
    let parts = try await service.read { try $0.rows(part, as: Found.self) }
    #expect(parts == [Found(id: 2, marked: "…the **light** in…")])
  }

  @Test func `The tokenizers for stems and parts of words find them`() async throws {
    let stems = FullTextIndex(
      "articleSearch", of: "article", columns: ["title"], tokenizer: .englishStems)
    #expect(try await ids(.init(allOf: "keeper"), in: open(.memory, stems), stems) == [2])
    let trigrams = FullTextIndex(
      "articleSearch", of: "article", columns: ["title"], tokenizer: .trigrams)
    let pattern = FullTextPattern(allOf: "thous", lastIsPrefix: false)
    #expect(try await ids(pattern, in: open(.memory, trigrams), trigrams) == [2])
  }

  @Test func `A live query of a search updates after writes to the table`() async throws {
    let service = try await open(.file)
    var found = service.observe(
      Self.search.matches(.init(allOf: "foghorn")), as: Essay.self
    ).makeAsyncIterator()
    #expect(try await found.next() == [])
    let article = Essay(id: 9, title: "Foghorn", body: nil)
    try await service.write { try $0.insert(article, into: "article") }
    #expect(try await found.next() == [article])
    try await service.close()
  }

  @Test func `Removing an index keeps its table`() async throws {
    let service = try await open(.memory)
    try await service.write { try $0.execute(Self.search.removal) }
    try await service.write { try $0.execute("DELETE FROM article WHERE id = 1") }
    let count = try await service.read {
      try $0.row("SELECT count(*) FROM article", as: Int.self)
    }
    #expect(count == 2)
  }

  private func titles(
    _ pattern: FullTextPattern, _ tokenizer: FullTextIndex.Tokenizer
  ) async throws -> Set<String> {
    let search = FullTextIndex(
      "articleSearch", of: "article", columns: ["title", "body"], tokenizer: tokenizer)
    let service = try await open(.memory, search)
    let titles = [
      "東京の天気", "今日は東京です", "Öl", "한국어 검색기", "go now", "C++ and C#", "🎈 party", "ภาษาไทย",
    ]
    return try await service.write { transaction in
      for (id, title) in titles.enumerated() {
        let essay = Essay(id: 10 + id, title: title, body: nil)
        try transaction.insert(essay, into: "article")
      }
      let found = try transaction.rows(search.matches(pattern), as: Essay.self).map(\.title)
      #expect(Set(found).count == found.count)
      return Set(found)
    }
  }

  @Test(arguments: [FullTextIndex.Tokenizer.words, .englishStems, .trigrams])
  func `Short words and words without spaces around them are found`(
    _ tokenizer: FullTextIndex.Tokenizer
  ) async throws {
    let tokyo: Set = ["東京の天気", "今日は東京です"]
    #expect(try await titles(.init(allOf: "東京"), tokenizer) == tokyo)
    #expect(try await titles(.init(allOf: "天気"), tokenizer) == ["東京の天気"])
    #expect(try await titles(.init(allOf: "天気 東京"), tokenizer) == ["東京の天気"])
    #expect(try await titles(.init(allOf: "天気 今日"), tokenizer) == [])
    #expect(try await titles(.init(phrase: "京の天"), tokenizer) == ["東京の天気"])
    #expect(try await titles(.init(phrase: "天気 東京"), tokenizer) == [])
    #expect(try await titles(.init(allOf: "색기"), tokenizer) == ["한국어 검색기"])
    #expect(try await titles(.init(allOf: "ไทย"), tokenizer) == ["ภาษาไทย"])
    #expect(try await titles(.init(allOf: "ÖL"), tokenizer) == ["Öl"])
    #expect(try await titles(.init(allOf: "go"), tokenizer) == ["go now"])
    #expect(try await titles(.init(anyOf: "go 天気 lighthouse"), tokenizer).count == 3)
    #expect(try await titles(.init(allOf: "Lighthouse 天気"), tokenizer) == [])
    #expect(try await titles(.init(allOf: "🎈"), tokenizer) == ["🎈 party"])
    #expect(try await titles(.init(allOf: "++"), tokenizer) == ["C++ and C#"])
    #expect(try await titles(.init(anyOf: " "), tokenizer) == [])
  }
}
