import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// The code of the article on caches, with a server that counts its requests.
@Suite(.timeLimit(.minutes(10)))
struct CachingTests {
  private let directory = NSTemporaryDirectory() + "causeway-\(UUID().uuidString)"
  private let server = PictureServer()
  private let reports = Log<String>()
  private let id = PictureID(account: "ada", url: "/boat")

  private func makePictures(_ log: @escaping @Sendable (String) -> Void)
    -> ResourceCache<PictureID, [UInt8]>
  {
    let server = server
    // snippet
    let files = DiskStore(directory: directory, bytes: 200_000_000) { error in log("\(error)") }
    let pictures = ResourceCache<PictureID, [UInt8]>(
      disk: .bytes(files) { "\($0.account)/\($0.url)" },
      size: { $0.count },
      validatingLoader: { id, etag in
        try await server.picture(id, unlessMatching: etag)
      })
    // end
    return pictures
  }

  private func use(
    _ pictures: ResourceCache<PictureID, [UInt8]>, _ idsOfNextScreen: [PictureID]
  ) async throws -> (now: [UInt8]?, value: [UInt8]) {
    // snippet
    let now = pictures.cached(id)  // at once, from memory, or nil
    let value = try await pictures.value(for: id)  // loads what is missing
    try await pictures.refresh(id)  // asks the server, even if the value is fresh
    await pictures.prefetch(idsOfNextScreen)
    // end
    return (now, value)
  }

  private func follow(
    _ pictures: ResourceCache<PictureID, [UInt8]>, _ show: (PictureID, [UInt8]) -> Void
  ) async {
    // snippet
    for await update in pictures.updates() { show(update.key, update.value) }
    // end
  }

  @Test func `a picture is loaded once and revalidated with the server later`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let next = PictureID(account: "ada", url: "/sail")
    let pictures = makePictures { [reports] in reports.append($0) }
    let first = try await use(pictures, [next])
    #expect(first.now == nil)
    #expect(first.value == Array("/boat".utf8))
    #expect(server.requests.all == ["/boat nil", "/boat v0", "/sail nil"])

    let second = try await use(pictures, [next])
    #expect(second.now == first.value)
    #expect(server.requests.all.count == 4)
    #expect(reports.all.isEmpty)
  }

  @Test func `a changed picture is shown`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let pictures = makePictures { _ in }
    let shown = Log<[UInt8]>()
    let following = Task { await follow(pictures) { shown.append($1) } }
    _ = try await pictures.value(for: id)
    while shown.all.isEmpty {
      server.change()
      try await pictures.refresh(id)
    }
    #expect(shown.all.first?.starts(with: "/boat changed".utf8) == true)
    following.cancel()
    await following.value
  }

  @MainActor private func keep(_ draft: Draft, _ service: any PersistenceService) async throws {
    // snippet
    let drafts = ObservableStore(
      backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
    drafts[7] = draft
    try await drafts.close()
    // end
  }

  @MainActor @Test func `closing a store saves its draft`() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let (path, migration) = (
      "\(directory)/app.sqlite", DatabaseBacking<Int, Draft>.migration(table: "draft")
    )
    let service = try await SQLiteService(path: path, migrations: [migration])
    try await keep(Draft(text: "ahoy"), service)
    // A store that was only released would save later, when the database is closed.
    try await service.close()
    let later = try await SQLiteService(path: path, migrations: [migration])
    let drafts = ObservableStore(
      backing: DatabaseBacking<Int, Draft>(later, table: "draft"))
    try await drafts.waitUntilLoaded()
    #expect(drafts[7] == Draft(text: "ahoy"))
    try await drafts.close()
    try await later.close()
  }
}
