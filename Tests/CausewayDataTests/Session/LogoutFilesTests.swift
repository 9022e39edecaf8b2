import CausewayData
import CausewaySQLite
import Foundation
import Testing

/// The traces that a logout leaves in the files of a database.
@Suite(.timeLimit(.minutes(10))) struct LogoutFilesTests {
  private func count(_ text: String, in directory: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).reduce(0) { sum, name in
      let data = try Data(contentsOf: directory.appending(path: name))
      var (count, start) = (0, data.startIndex)
      while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
        (count, start) = (count + 1, range.upperBound)
      }
      return sum + count
    }
  }

  @Test func `a sign-in keeps the damaged files that were set aside, and a logout removes them`()
    async throws
  {
    let directory = URL(fileURLWithPath: NSTemporaryDirectory() + "logout-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "notes.sqlite").path
    try Data("adasecret, not a database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try SQLiteService.setAside(path: path) != nil)
    let service = try await SQLiteService(path: path, migrations: noteMigrations)
    let desk = try await Desk(account: nil, persistence: service)
    try await desk.session.signIn("ada")
    #expect(try count("adasecret", in: directory) == 1)
    try await desk.session.logout()
    #expect(try count("adasecret", in: directory) == 0)
    try await service.close()
  }

  @MainActor
  @Test func `after a logout the files have no text of the account`() async throws {
    let directory = URL(fileURLWithPath: NSTemporaryDirectory() + "logout-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let search = FullTextIndex("noteSearch", of: "note_base", columns: ["title"])
    let service = try await SQLiteService(
      path: directory.appending(path: "notes.sqlite").path,
      migrations: noteMigrations + [
        DatabaseBacking<Int, String>.migration(table: "draft"),
        Migration("search", search.creation),
      ])
    let desk = try await Desk(account: nil, persistence: service)
    let drafts = ObservableStore(backing: DatabaseBacking<Int, String>(service, table: "draft"))
    desk.session.add(drafts.participant)
    try await desk.session.signIn("ada")
    let engine = desk.engine()
    for number in 0..<200 {
      let title = "adasecret\(number) \(String(repeating: "x", count: number * 20))"
      try await engine.perform(.write(Note(id: "adasecret-\(number)", title: title)))
    }
    engine.start()
    desk.outbox.start()
    try await desk.waitUntilCovered()
    try await engine.perform(.write(Note(id: "adasecret-waiting")))
    for key in 0..<50 { drafts[key] = "adasecret draft" }
    try await drafts.flush()
    #expect(try count("adasecret", in: directory) > 0)
    try await desk.session.logout()
    #expect(try count("adasecret", in: directory) == 0)
    try await service.close()
    #expect(try count("adasecret", in: directory) == 0)
  }
}
