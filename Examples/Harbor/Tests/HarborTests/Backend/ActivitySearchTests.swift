import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import TestSupport
import Testing

/// The search of hosted pages, in the database of the backend.
@Suite(TestStore.isAvailable) struct `The search of a group` {
  @Test(arguments: [
    // Differences of case, accents, width and ligatures do not matter.
    ("CAFÉ", ["Café au lait"]), ("cafe\u{301}", ["Café au lait"]), ("strasse", ["Straße 7"]),
    ("STRAßE", ["Straße 7"]), ("tea", ["Ｔｅａ ７"]), ("７", ["Straße 7", "Ｔｅａ ７"]),
    ("ΟΔΟΣ", ["Οδός"]), ("οδόσ", ["Οδός"]), ("fi", ["ﬁn de siècle"]), ("カラ", ["ｶﾗｵｹ"]),
    // Words in scripts with marks, and without spaces.
    ("हिन्दी", ["हिन्दी पाठ"]), ("पा", ["हिन्दी पाठ"]), ("東京", ["東京タワー"]), ("タワー", []), ("한", ["한국어"]),
    // All words must be found; the last one may be the beginning of a word.
    ("lait caf", ["Café au lait"]), ("caf lait", []), ("lait lait", ["Café au lait"]), ("", []),
    // Signs that have a meaning in the query languages of the databases.
    ("\"café\" -lait*", ["Café au lait"]), ("title:café", []), ("caf*", ["Café au lait"]),
    ("café NEAR lait", []), ("near", ["To be NEAR and/or NOT"]),
    ("NOT and OR", ["To be NEAR and/or NOT"]),
    ("café' OR '1'='1", []), ("& | ! <-> :*", []), ("\\", []), ("🎉", []),
    ("🎉 lait", ["Café au lait"]),
    ("a\0u", []), ("lait\0", ["Café au lait"]), ("\u{E000}", []), ("67726f757073", []),
  ])
  func `finds words as people read them`(text: String, titles: [String]) async throws {
    try await Searched.with { group in
      let all = [
        "Café au lait", "Straße 7", "Ｔｅａ ７", "Οδός", "ﬁn de siècle", "ｶﾗｵｹ", "हिन्दी पाठ", "東京タワー",
        "한국어", "To be NEAR and/or NOT", "🎉🎉",
      ]
      try await group.put(all.map { record($0) })
      let found = try await group.results(of: text)
      // All begin at the same time.
      let sorted = titles.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(found.rows.map(\.details.title) == sorted)
      #expect(found.total == titles.count)
    }
  }

  @Test func `finds places, notes and people, and long texts`() async throws {
    try await Searched.with { group in
      var row = record("Row", id: "row", host: "Zoë")
      (row.place, row.notes) = ("Boat house", String(repeating: "very long ", count: 20_000))
      row.participants += ["Ben of Hur"]
      row.notes? += String(repeating: "x", count: 10_000)
      try await group.put([row, record("Swim")])
      let long = String(repeating: "row ", count: 5_000)
      for text in ["house boat", "very", "zoe hur", String(repeating: "x", count: 9_000), long] {
        #expect(try await group.results(of: text).rows.map(\.id) == ["row"], "\(text.prefix(20))")
      }
      #expect(try await group.results(of: long + "swim").total == 1)
      #expect(try await group.results(of: "row swim").total == 0)
    }
  }

  @Test func `has the order of the board, a limit and the number of all`() async throws {
    try await Searched.with { group in
      var random = SeededRandom(seed: 1)
      // Some begin in the same second, or at the same time.
      let all = (0..<120).map { number in
        var row = record("Plan \(number % 7)", id: "\(number)")
        row.start = Board.now.timeIntervalSince1970 + Double(number / 10) - Double(number % 2) / 2
        return row
      }
      try await group.put(all.shuffled(using: &random))
      let sorted = Activities(all.map { $0.activity() }).map(\.id)
      for limit in [1, 5, 50, 100, 120, 200] {
        let found = try await group.results(of: "plan", limit: limit)
        #expect(found.rows.map(\.id) == Array(sorted.prefix(limit)) && found.total == 120)
      }
    }
  }

  @Test func `finds activities of one second whose keys would be equal`() async throws {
    try await Searched.with { group in
      let ids = ["58769", "60836"]
      try await group.put(ids.map { record("Row", id: $0) })
      #expect(try await group.results(of: "row").rows.map(\.id).sorted() == ids.sorted())
      let other = Searched(group.store, group: "other")
      try await other.put(ids.map { record("Row", id: $0) })
      #expect(try await other.results(of: "row").total == 2)
      try await group.delete(ids[0])
      #expect(try await group.results(of: "row").rows.map(\.id) == [ids[1]])
      #expect(try await other.results(of: "row").total == 2)
    }
  }

  @Test func `finds the activities of no other group`() async throws {
    try await Searched.with { group in
      let other = Searched(group.store, group: "Other \"group\" 1")
      try await group.put([record("Row", id: "row")])
      try await other.put([record("Row", id: "row"), record("Row Swim", id: "more")])
      #expect(try await group.results(of: "row").total == 1)
      #expect(try await other.results(of: "row").total == 2)
      #expect(try await other.results(of: "swim row").rows.map(\.id) == ["more"])
      try await other.put([record("Ride", id: "row")])
      #expect(try await group.results(of: "row").rows.map(\.id) == ["row"])
      #expect(try await other.results(of: "row").rows.map(\.id) == ["more"])
    }
  }

  @Test func `delivers changes of its results, and nothing for other changes`() async throws {
    try await Searched.with { group in
      var results = group.stream(of: "row").makeAsyncIterator()
      #expect(try await results.next() == SearchResults())
      try await group.put([record("Swim", id: "swim")])
      try await group.put([record("Row", id: "row")])
      #expect(try await results.next()?.rows.map(\.id) == ["row"])
      try await group.put([record("Ride", id: "swim")])
      var row = record("Row", id: "row")
      row.notes = "Bring water."
      try await group.put([row])
      #expect(try await results.next()?.rows.map(\.details.notes) == ["Bring water."])
      row.title = "Ride"
      try await group.put([row])
      #expect(try await results.next() == SearchResults())
      try await group.put([record("Row", id: "row")])
      #expect(try await results.next()?.total == 1)
      try await group.delete("row")
      #expect(try await results.next() == SearchResults())
    }
  }

  @Test(arguments: [
    "not JSON", "[]", "{}", "null", #"{"id":"row","title":7}"#, #"{"id":"row","title":"Row"}"#,
    "{\"title\":\"Row",
  ])
  func `leaves out what cannot be read`(body: String) async throws {
    try await Searched.with { group in
      try await group.put([record("Row", id: "row")])
      #expect(try await group.results(of: "row").total == 1)
      // First without a new version, then with one.
      try await group.store.write {
        _ = try $0.execute("UPDATE record SET body = \(body) WHERE id = 'row'")
      }
      #expect(try await group.results(of: "row") == SearchResults())
      try await group.put(body: body, "row")
      #expect(try await group.results(of: "row") == SearchResults())
      try await group.put([record("Row", id: "other")])
      #expect(try await group.results(of: "row").rows.map(\.id) == ["other"])
      try await group.put([record("Row", id: "row")])
      #expect(try await group.results(of: "row").total == 2)
    }
  }

  @Test func `finds a text with a NUL character`() async throws {
    try await Searched.with { group in
      try await group.put([record("Row\0boat", id: "row")])
      #expect(try await group.results(of: "boat row").rows.map(\.id) == ["row"])
    }
  }

  @Test func `finds rows from before the index, and rows of earlier versions`() async throws {
    let store = try await TestStore.make { $0.prefix { $0.name != "search activities" } }
    let group = Searched(store)
    try await group.put((0..<600).map { record("Plan \($0)", id: "\($0)") })
    try await store.write { transaction in
      for step in TestStore.migrations.drop(while: { $0.name != "search activities" }) {
        try step.apply(in: transaction)
      }
    }
    #expect(try await group.results(of: "plan").total == 600)
    #expect(try await group.results(of: "599").rows.map(\.id) == ["599"])
    // An earlier version does not change the index; the next search does.
    try await group.put((300..<600).map { record("Trip \($0)", id: "\($0)") })
    #expect(try await group.results(of: "plan").total == 300)
    // As after a restored backup: the feed's version is lower than the version of the search index.
    try await store.write {
      _ = try $0.execute("UPDATE feed SET version = 7, searched = 900")
      _ = try $0.execute("DELETE FROM record WHERE version > 7")
    }
    #expect(try await group.results(of: "plan").total == 7)
    try await store.close()
  }

  @Test func `has the indexes of large groups soon after the start`() async throws {
    try await Searched.with { small in
      let large = Searched(small.store, group: "large")
      try await small.put((0..<5).map { record("Plan \($0)", id: "\($0)") })
      try await large.put((0..<1_100).map { record("Plan \($0)", id: "\($0)") })
      try await small.backend.makeSearchIndexes(ofGroupsLargerThan: 100) { _ in }
      let rows: SQL = "SELECT scope FROM activity_text GROUP BY scope HAVING count(*) = 1100"
      #expect(try await small.store.read { try $0.rows(rows, as: String.self) } == ["groups/large"])
      #expect(try await small.results(of: "plan").total == 5)
      #expect(try await large.results(of: "plan").total == 1_100)
      // An earlier version of Harbor has changed these activities in the meantime.
      try await large.delete("1099")
      try await large.backend.makeSearchIndexes(ofGroupsLargerThan: 100) { _ in }
      let texts: SQL = "SELECT count(*) FROM activity_text"
      #expect(try await small.store.read { try $0.row(texts, as: Int.self) } == 1_104)
    }
  }

  @Test func `a change does not wait for the index of a large group`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let group = Searched(store, group: ana.group)
      try await group.put((0..<1_500).map { record("Plan \($0)", id: "\($0)") })
      // The first part of the index.
      let scope = "groups/\(ana.group)"
      _ = try await store.write {
        try $0.execute("UPDATE feed SET searched = 250 WHERE scope = \(scope)")
      }
      let first = try await ana.send(.create(record("Row", id: "row")))
      let searched: SQL = """
        SELECT searched FROM feed WHERE scope = \(scope) AND collection = 'activities'
        """
      #expect(try await store.read { try $0.row(searched, as: Int.self) } == 250)
      let making = Task { try await group.backend.makeSearchIndexes(part: 100) { _ in } }
      let others = try await ana.send(.delete(id: "7"), .create(record("Swim", id: "swim")))
      #expect((first + others).allSatisfy { $0.refusal == nil }, "\(first + others)")
      try await making.value
      #expect(try await group.results(of: "swim").rows.map(\.id) == ["swim"])
      _ = try await ana.send(.delete(id: "swim"))
      let texts: SQL = "SELECT count(*) FROM activity_text WHERE id IN ('7', 'swim')"
      #expect(try await store.read { try $0.row(texts, as: Int.self) } == 0)
    }
  }

  @Test func `finds a person by a new name at once`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let group = Searched(store, group: ana.group)
      _ = try await ana.send(.create(record("Row", id: "row")), .create(record("Swim")))
      #expect(try await group.results(of: "ana").total == 2)
      let rename = SentChange(
        key: IdempotencyKey(), mutation: PersonMutation.rename(from: "Ana", to: "Zoe"))
      let path: NetworkPath = "/groups/\(ana.group)/people/changes"
      try await ana.network.call(Endpoint(.post, path, body: [rename]))
      #expect(try await group.results(of: "zoe").total == 2)
      #expect(try await group.results(of: "ana").total == 0)
      _ = try await ana.send(.delete(id: "row"))
      // The texts of a deleted activity do not wait for the next search.
      let kept = try await store.read {
        try $0.row("SELECT count(*) FROM activity_text WHERE id = 'row'", as: Int.self)
      }
      #expect(kept == 0)
      #expect(try await group.results(of: "zoe").total == 1)
    }
  }

  @Test func `finds words with a letter that joins with the sign after it`() async throws {
    try await Searched.with { group in
      // As characters of Swift, the letter and the sign are one.
      var row = record("a\u{0D4E}  b", id: "row")
      row.place = "\u{0D4E}\" \u{0D4E}\\ \u{0D4E}'"
      try await group.put([row])
      for text in ["a", "a\u{0D4E}", "\u{0D4E}\"", "\u{0D4E} ", "\u{0D4E}\\", "\u{0D4E}'"] {
        #expect(try await group.results(of: text).rows.map(\.id) == ["row"], "\(text)")
      }
      #expect(try await group.results(of: "\u{0D4E}\" AND \u{0D4E}|").total == 0)
    }
  }

  @Test(arguments: 0..<4)
  func `finds what a search in memory finds`(seed: UInt64) async throws {
    try await Searched.with { group in
      var random = SeededRandom(seed: seed)
      let pieces = [
        "a", "b", "ab", "É", "e\u{301}", "ß", "ss", "７", "7", "Ａ", " ", " ", " ", "-", "\"", "'",
        "*",
        "Σ", "ς", "ﬁ", "f", "が", "ｶﾞ", "한", "🎉", "\u{200D}", "\0", "½", "Å", "ø", "й",
        "İ", "ı", "&",
        "\\",
      ]
      func text(_ count: Int) -> String {
        (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      var all: [ActivityRecord] = []
      for number in 0..<60 {
        var row = record(text(.random(in: 1...8, using: &random)), id: "\(number)")
        row.place = text(4)
        row.start += Double(number)
        all.append(row)
      }
      try await group.put(all)
      for _ in 0..<scaled(300) {
        let pattern = text(.random(in: 1...3, using: &random))
        let expected = all.filter { InMemory.matches($0.activity(), pattern) }.map(\.id)
        let found = try await group.results(of: pattern, limit: 100)
        #expect(found.rows.map(\.id) == expected && found.total == expected.count, "\(pattern)")
      }
    }
  }
}

/// A group whose records tests store without requests.
struct Searched: Sendable {
  let store: any PersistenceService
  let backend: Backend
  let group: String

  init(_ store: any PersistenceService, group: String = "g") {
    (self.store, self.group) = (store, group)
    backend = Backend(store: store, configuration: .init(port: 0))
  }

  static func with(_ body: (Searched) async throws -> Void) async throws {
    let store = try await TestStore.make()
    try await body(Searched(store))
    try await store.close()
  }

  func put(_ records: [ActivityRecord]) async throws {
    try await store.write { [group] transaction in
      let stored = StoredRecords(scope: "groups/\(group)", collection: "activities")
      for record in records {
        try stored.put(StoredRecords.encoded(record), id: record.id, in: transaction)
      }
    }
  }

  func put(body: String?, _ id: String) async throws {
    try await store.write { [group] transaction in
      let stored = StoredRecords(scope: "groups/\(group)", collection: "activities")
      try stored.put(body, id: id, in: transaction)
    }
  }

  func delete(_ id: String) async throws { try await put(body: nil, id) }

  func stream(of text: String, limit: Int = 50) -> AsyncThrowingStream<SearchResults, any Error> {
    backend.search(of: group).results(of: text, limit: limit)
  }

  func results(of text: String, limit: Int = 50) async throws -> SearchResults {
    for try await results in stream(of: text, limit: limit) { return results }
    throw CancellationError()
  }
}

/// The search without a database.
private enum InMemory {
  static func matches(_ activity: Activity, _ text: String) -> Bool {
    let pattern = words(of: text)
    guard let beginning = pattern.last else { return false }
    let details = activity.details
    let texts =
      [details.title, details.place ?? "", details.notes ?? "", activity.host.text]
      + activity.participants.map(\.text)
    let words = Set(texts.flatMap(words))
    return pattern.dropLast().allSatisfy(words.contains)
      && words.contains { $0.utf8.starts(with: beginning.utf8) }
  }

  private static func words(of text: String) -> [String] {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    )
    .precomposedStringWithCanonicalMapping.split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
