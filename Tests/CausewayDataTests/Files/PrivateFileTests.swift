import CausewayData
import Foundation
import Testing

@testable import CausewayBasics
@testable import CausewayNetwork

/// Rule 12 for tokens: after any failed save, the old or the new token is stored.
@Suite("Private files under faults", .timeLimit(.minutes(10))) struct PrivateFileTests {
  private let first = AuthToken(access: "first")
  private let second = AuthToken(access: "second")

  private func store(_ path: String, _ files: any FileSystem) -> FileTokenStore {
    FileTokenStore(PrivateFile(path: path, files: files))
  }

  @Test(arguments: FaultyFiles.Fault.allCases)
  func `after a failure at any operation the old or the new token is stored`(
    fault: FaultyFiles.Fault
  ) throws {
    var number = 0
    var hasReachedEnd = false
    while !hasReachedEnd {
      number += 1
      let directory = TemporaryDirectory()
      try PosixFiles().createDirectory(directory.path)
      let path = directory.path + "/token"
      try FileTokenStore(path: path).save(first)
      let files = FaultyFiles()
      files.plant(fault, at: number)
      var hasSaved = false
      do throws(TokenStoreError) {
        try store(path, files).save(second)
        hasSaved = true
      } catch {
        guard case .system(path: path, _) = error else {
          Issue.record(error)
          return
        }
      }
      hasReachedEnd = files.operations.count < number
      let found = try FileTokenStore(path: path).load()
      #expect(found == second || (!hasSaved && found == first), "operation \(number)")
      // A single failure leaves no other file. If the process ends, another file may be left.
      if fault == .fails { #expect(directory.files() == ["token"], "operation \(number)") }
      // The next save succeeds with any leftovers, and removes them.
      try FileTokenStore(path: path).save(second)
      #expect(directory.files() == ["token"], "operation \(number)")
    }
    #expect(number > 7)
  }

  @Test func `a token that was read is still there after a power failure`() throws {
    let directory = TemporaryDirectory()
    try PosixFiles().createDirectory(directory.path)
    let files = FaultyFiles()
    let store = store(directory.path + "/token", files)
    #expect(try store.load() == nil)
    #expect(!files.operations.contains("synchronize directory"))
    // The process that stored it may have ended before the name was on the disk.
    try FileTokenStore(path: directory.path + "/token").save(first)
    #expect(try store.load() == first)
    #expect(files.operations.last == "synchronize directory")
  }

  @Test func `a token is stored even if its folder cannot be synchronised`() throws {
    let directory = TemporaryDirectory()
    try PosixFiles().createDirectory(directory.path)
    let files = FaultyFiles()
    let store = store(directory.path + "/token", files)
    try store.save(first)
    let place = try #require(files.operations.firstIndex(of: "synchronize directory"))
    files.plant(.fails, at: place + 1)
    try store.save(second)
    #expect(try store.load() == second)
  }

  @Test func `a removal that a power failure may undo is reported`() throws {
    let directory = TemporaryDirectory()
    try PosixFiles().createDirectory(directory.path)
    let files = FaultyFiles()
    let store = store(directory.path + "/token", files)
    try store.save(first)
    files.reset()
    try store.remove()
    let place = try #require(files.operations.firstIndex(of: "synchronize directory"))
    try store.save(first)
    files.plant(.fails, at: place + 1, code: EIO)
    #expect(throws: TokenStoreError.self) { try store.remove() }
    try store.remove()
    #expect(try store.load() == nil)
  }

  @Test func `all other files are removed if one cannot be removed`() throws {
    let directory = TemporaryDirectory()
    try PosixFiles().createDirectory(directory.path)
    let files = FaultyFiles()
    let store = store(directory.path + "/token", files)
    try store.save(first)
    try directory.write([1], to: "token.new")
    try directory.write([1], to: "token.damaged")
    files.plant(.fails, at: 1, code: EACCES)
    #expect(throws: TokenStoreError.self) { try store.remove() }
    #expect(directory.files() == ["token"])
    try store.remove()
    #expect(directory.files() == [])
  }

  @Test func `bytes that arrive in parts replace a file atomically`() throws {
    let directory = TemporaryDirectory()
    try PosixFiles().createDirectory(directory.path)
    let path = directory.path + "/download"
    try directory.write([0], to: "download")
    let given = try FileReplacement(of: path, by: path + ".part")
    try given.append([1, 2])
    given.discard()
    #expect(directory.files() == ["download"])
    let taken = try FileReplacement(of: path, by: path + ".part")
    try taken.append([1, 2])
    try taken.append([])
    try taken.append([3])
    #expect(try directory.read("download") == [0])
    try taken.commit()
    #expect(try directory.read("download") == [1, 2, 3])
    #expect(directory.files() == ["download"])
  }
}
