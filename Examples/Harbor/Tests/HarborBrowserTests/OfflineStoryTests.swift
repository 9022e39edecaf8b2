import BrowserDriver
import CausewayData
import CausewaySQLite
import Foundation
import HarborApp
import HarborBackend
import HarborDomain
import TestSupport
import Testing

extension BrowserTests {
  /// Two devices and a backend, each in a separate process.
  @Suite struct `Devices without a connection` {
    @Test(.timeLimit(.minutes(10)))
    func `send each change once, also after a kill, and end with equal boards`() async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let folder = data.appending(path: "server")
        let first = try await HarborProcess("serve", data: folder, at: port)
        let one = try await Device(data.appending(path: "one"), first.url)
        var two = try await Device(data.appending(path: "two"), first.url)
        try await one.signUp()
        try await two.signIn()
        for title in ["Row", "Sail", "Swim"] { try await one.create(title) }
        _ = try await PageClient.open(two.process) { $0.cards.count == 3 }

        #expect(await first.stop() == .code(0))
        try await one.create("Fly a kite")
        try await one.edit("Row") { $0["title"] = "Row far" }
        try await one.act(on: "Sail", "leave")
        try await one.act(on: "Swim", "delete")
        try await one.send(#"{"addLink":{"name":"tides","target":"https://tides.example"}}"#)
        try await two.create("Catch a fish")
        try await two.edit("Row") {
          $0["notes"] = "Gloves"
          $0["title"] = "Row fast"
        }
        try await two.act(on: "Sail", "leave")
        try await two.act(on: "Row fast", "leave")
        try await two.send(#"{"addLink":{"name":"map","target":"https://map.example"}}"#)
        await two.process.kill()
        two = try await Device(data.appending(path: "two"), first.url)
        let shown = try await PageClient(two.process).content
        #expect(shown.cards.map(\.title).contains("Catch a fish"))
        #expect(shown.cards.first { $0.title == "Row fast" }?.isPending == true)

        let second = try await HarborProcess("serve", data: folder, at: port)
        let boards = [try await one.settledBoard(), try await two.settledBoard()]
        #expect(boards[0] == boards[1])
        let rows = boards[0].filter { $0.hasPrefix("Row") }
        #expect(boards[0].count == 4 && rows.count == 1)
        // Both devices edited the title. The order of arrival decides, so the title is not checked.
        #expect(rows[0].contains("Gloves"))
        for device in [one, two] { #expect(await device.process.stop() == .code(0)) }
        #expect(await second.stop() == .code(0))
        let store = try await SQLiteService(
          path: folder.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
        let counts = try await store.read { transaction in
          try transaction.rows(
            "SELECT count(*) FROM receipt UNION ALL SELECT count(DISTINCT key) FROM receipt",
            as: Int.self)
        }
        // One receipt for the group, three for the first activities, and ten for the later changes.
        #expect(counts == [14, 14])
        try await store.close()
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `keep nothing of an account that signs out while its data is refreshed`() async throws {
      try await withTemporaryDirectory { data in
        let server = try await HarborProcess("serve", data: data.appending(path: "server"))
        let folder = data.appending(path: "device")
        let device = try await Device(folder, server.url)
        try await device.signUp()
        try await device.create("Zanzibar")
        try await device.send(#"{"addLink":{"name":"yggdrasil","target":"https://tree.example"}}"#)
        try await device.send(#"{"retry":{}}"#)
        try await device.send(#"{"signOut":{}}"#)
        let page = try await PageClient.open(device.process) { !$0.isSignedIn }
        #expect(page.content.cards.isEmpty)
        // The page is empty at once. The removal of the data ends a moment later.
        while Self.files(in: folder, containing: Self.traces) != [] {
          try Task.checkCancellation()
        }
        #expect(await device.process.stop() == .code(0))
        #expect(Self.files(in: folder, containing: Self.traces) == [])
        #expect(await server.stop() == .code(0))
      }
    }

    /// Texts that only the account has.
    private static let traces = ["Zanzibar", "yggdrasil", "Quetzal"]

    /// The files below a folder that contain one of the texts.
    private static func files(in folder: URL, containing texts: [String]) -> [String] {
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (paths ?? []).filter { path in
        let file = folder.appending(path: path)
        // The file may have been removed since the listing.
        guard let content = try? Data(contentsOf: file) else { return false }
        return texts.contains { content.range(of: Data($0.utf8)) != nil }
      }
    }
  }
}

extension Device {
  /// The board and the links as texts, after the server has all changes and this device has
  /// received those of the other device.
  func settledBoard() async throws -> [String] {
    let store = try await SQLiteService(
      path: folder.appending(path: "device.sqlite").path, migrations: DeviceSchema.migrations)
    let pending: SQL = """
      SELECT count(*) FROM sync_outbox UNION ALL
      SELECT count(*) FROM link
      """
    for try await counts in store.observe(pending, as: Int.self) where counts == [0, 2] { break }
    let activities: SQL = """
      SELECT title || ' ' || coalesce(notes, '') || ' ' || participants || ' ' || revision
      FROM activity ORDER BY id
      """
    var board: [String] = []
    for try await rows in store.observe(activities, as: String.self) {
      board = rows
      if rows.contains(where: { $0.hasPrefix("Fly") }),
        rows.contains(where: { $0.hasPrefix("Catch") })
      {
        break
      }
    }
    try await store.close()
    return board
  }
}
