import CausewayData
import Foundation
import Testing

@Suite struct FileTokenStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "token").path }
  private let token = AuthToken(
    access: "a", refresh: "r", expiry: Date(timeIntervalSince1970: 1_800_000_000))

  init() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a token survives a restart and can be removed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(path: path)
    #expect(try store.load() == nil)
    try store.save(token)
    try store.save(token)
    #expect(try FileTokenStore(path: path).load() == token)
    #expect(try names() == ["token"])
    try store.remove()
    try store.remove()
    #expect(try store.load() == nil)
    #expect(try names().isEmpty)
  }

  @Test func `only the owner can read the file, for every umask and existing file`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    #expect(chmod(path, 0o644) == 0)
    try FileTokenStore(path: path).save(token)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o660] as [mode_t])
  func `a file that other users can read is rejected with the command that fixes it`(
    _ mode: mode_t
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(path: path)
    try store.save(token)
    #expect(chmod(path, mode) == 0)
    #expect(throws: TokenStoreError.notPrivate(path: path, fix: "chmod 600 '\(path)'")) {
      try store.load()
    }
    #expect(chmod(path, 0o600) == 0)
    #expect(try store.load() == token)
  }

  @Test func `a folder in which other users can replace the file is rejected`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(path: path)
    try store.save(token)
    #expect(chmod(folder.path, 0o777) == 0)
    let error = TokenStoreError.notPrivate(path: path, fix: "chmod go-w '\(folder.path)'")
    #expect(throws: error) { try store.load() }
    #expect(throws: error) { try store.save(token) }
  }

  @Test(arguments: ["", "{", "[1,2]", "{\"access\":1}", "\0\0\0\0"])
  func `a damaged file is moved aside and reported, and does not crash`(_ text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(path: path)
    try store.save(token)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: TokenStoreError.damaged(path: path, movedTo: "\(path).damaged")) {
      try store.load()
    }
    #expect(try store.load() == nil)
    #expect(try names() == ["token.damaged"])
  }

  @Test func `removing deletes the tokens under all names`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = FileTokenStore(path: path)
    try store.save(token)
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: TokenStoreError.self) { try store.load() }
    try store.save(token)
    // The state after a process was killed before it moved the new file into place.
    try FileManager.default.copyItem(atPath: path, toPath: "\(path).new")
    #expect(try names() == ["token", "token.damaged", "token.new"])
    try store.remove()
    #expect(try names().isEmpty)
  }

  @Test func `leftovers of an interrupted save do not prevent the next save`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(FileManager.default.createFile(atPath: "\(path).new", contents: Data("{".utf8)))
    #expect(chmod("\(path).new", 0o644) == 0)
    try FileTokenStore(path: path).save(token)
    #expect(try FileTokenStore(path: path).load() == token)
    #expect(try names() == ["token"])
  }

  @Test func `concurrent stores of one file in one process do not mix their tokens`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask { [path] in
          let text = String(repeating: "\(writer)", count: 10_000 * (writer + 1))
          for _ in 0..<10 { try FileTokenStore(path: path).save(AuthToken(access: text)) }
        }
      }
      try await group.waitForAll()
    }
    let access = try #require(try FileTokenStore(path: path).load()).access
    #expect(Set(access).count == 1)
    #expect(try names() == ["token"])
  }

  @Test func `the account survives a restart, also if the server uses the same field name`() throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    var owned = token
    owned.account = "ada"
    try FileTokenStore(path: path).save(owned)
    #expect(try FileTokenStore(path: path).load() == owned)
    let sent = Data(#"{"access": "a", "account": {"id": 7}}"#.utf8)
    #expect(
      try JSONDecoder().decode(AuthToken.self, from: sent) == AuthToken(access: "a"))
  }

  @Test func `a symbolic link is not followed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = folder.appending(path: "other").path
    try FileTokenStore(path: other).save(token)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    #expect(throws: TokenStoreError.self) { try FileTokenStore(path: path).load() }
  }

  @Test func `a missing folder throws an error, and a failed save keeps the token`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let lost = FileTokenStore(path: folder.appending(path: "no/token").path)
    #expect(try lost.load() == nil)
    #expect(throws: TokenStoreError.self) { try lost.save(token) }
    #expect(throws: Never.self) { try lost.remove() }
  }

  @Test func `printing a token shows no secret`() {
    var text = "\(token) \(String(reflecting: token)) "
    dump(token, to: &text)
    #expect(!text.contains("\"a\"") && !text.contains("\"r\""))
  }
}
