import CausewaySystem
import Foundation
import Testing

@testable import CausewayWeb

@Suite struct `An impossible number` {
  @Test(arguments: [Int64.min, -1, 2, .max])
  func `puts a row at an end of the list if it is the index of the row`(place: Int64) {
    let rows: [JSONValue] = [["id": "a"], ["id": "b"]]
    let patch: [String: JSONValue] = ["placed": [[.integer(place), ["id": "c"]]]]
    let ids: [JSONValue?] = MergePatch.apply(patch, toRows: rows).map { $0.value(at: "id") }
    #expect(ids == (place < 0 ? ["c", "a", "b"] : ["a", "b", "c"]))
  }

  @Test func `does not stop the server if it is the date of a file`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: -10)], ofItemAtPath: file.path)
    #expect(OpenFile(path: file.path)?.size == 3)
  }

  @Test(arguments: [1e-300, .leastNonzeroMagnitude])
  func `gives a wait of at most a day if it is the rate`(rate: Double) {
    var bucket = TokenBucket(rate: rate, burst: 0, now: .now)
    #expect(bucket.take(now: .now) == .seconds(86_400))
  }
}
