import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ArticleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The lines of a text without indentation, and without empty lines.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test func `Each piece of code in the article on persistence is compiled`() throws {
    let article = try String(
      contentsOf: Self.folder.appending(
        path: "../../Sources/Data/CausewayData/CausewayData.docc/Persistence.md"), encoding: .utf8)
    let code = lines(
      try String(
        contentsOf: Self.folder.appending(path: "ArticleSnippets.swift"), encoding: .utf8)
    ).joined(separator: "\n")
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count == 16)
    for block in blocks {
      // The last brace may close later, after code that the test adds.
      var block = lines(block)
      if block.first?.hasPrefix("for try await") == true { block.removeLast() }
      #expect(code.contains(block.joined(separator: "\n")), "\(block)")
    }
  }

  @Test func `The article's code has the described results`() async throws {
    let directory = try TemporaryDirectory()
    let article = Article(path: directory.file, cachePath: directory.path + "/cache.sqlite")
    let activity = Activity(
      id: UUID(), title: "Sail", start: Date(timeIntervalSince1970: 2_000_000_000), note: nil)
    let (next, found) = try await article.use(activity, now: Date(timeIntervalSince1970: 0))
    #expect(next == activity)
    #expect(found == [activity])
  }

  @Test func `The article's backup is restored, and its tables fit its records`() async throws {
    let directory = try TemporaryDirectory()
    let reports = Log<String>()
    let article = Article(
      path: directory.file, cachePath: "", log: { reports.append($0) }, migrations: boats)
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.add(1, "Ada")
    let restored = try await article.backUpAndRestore(
      service, backupPath: directory.path + "/backup.sqlite")
    #expect(try await restored.boatNames() == ["Ada"])
    #expect(reports.all.last == "4 of 4 pages")
    #expect(
      try await article.checkTables(restored) == [
        TableProblem(table: "activity", kind: .tableMissing)
      ])
  }

  @Test func `The article's outbox asks before it starts anew, and its cache does not ask`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let reports = Log<String>()
    var article = Article(
      path: directory.file, cachePath: directory.path + "/cache.sqlite",
      log: { reports.append($0) }, migrations: boats)
    for path in [article.path, article.cachePath] {
      let service = try await SQLiteService(path: path, migrations: boats)
      try await service.write { transaction in
        for id in 1...500 { try transaction.insert(Boat(id: id, name: "boat"), into: "boat") }
      }
      try await service.close()
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 4_096)
      try file.close()
    }
    let cache = try await article.openCache()
    #expect(try await cache.boatNames().isEmpty)
    #expect(reports.all.count == 1)
    article.confirmLoss = { _ in false }
    #expect(await failure { try await article.openOutbox() } == .corrupt)
    article.confirmLoss = { _ in true }
    #expect(try await article.openOutbox().boatNames().isEmpty)
    #expect(FileManager.default.fileExists(atPath: directory.file + ".damaged-1"))
  }
}
