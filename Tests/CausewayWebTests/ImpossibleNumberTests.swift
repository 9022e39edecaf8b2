import CausewaySystem
import Foundation
import Testing

@testable import CausewayWeb

@Suite struct `An impossible number` {
  @Test(arguments: [Int64.min, -1, 2, .max])
  func `as the place of a row puts the row at an end`(place: Int64) {
    let rows: [JSONValue] = [["id": "a"], ["id": "b"]]
    let patch: [String: JSONValue] = ["placed": [[.integer(place), ["id": "c"]]]]
    let ids: [JSONValue?] = MergePatch.apply(patch, toRows: rows).map { $0.value(at: "id") }
    #expect(ids == (place < 0 ? ["c", "a", "b"] : ["a", "b", "c"]))
  }

  @Test func `as the date of a file does not stop the server`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: -10)], ofItemAtPath: file.path)
    #expect(OpenFile(path: file.path)?.size == 3)
  }

  @Test(arguments: [1e-300, .leastNonzeroMagnitude])
  func `as a rate gives a wait of at most a day`(rate: Double) {
    var bucket = TokenBucket(rate: rate, burst: 0, now: .now)
    #expect(bucket.take(now: .now) == .seconds(86_400))
  }
}
