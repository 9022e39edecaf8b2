import CausewayData
import TestSupport
import Testing

@testable import CausewayDatabase

@Suite struct LiveRowsTests {
  private struct Entry: Equatable {
    var keys: [Int?]
    var row: Int

    /// Numbers without a value come first.
    func compare(_ other: Entry, _ isDescending: [Bool]) -> Bool? {
      for (index, (left, right)) in zip(keys, other.keys).enumerated() where left != right {
        let isFirst = (left ?? .min) < (right ?? .min)
        return isDescending[index] ? !isFirst : isFirst
      }
      return nil
    }
  }

  private static let orders: [[Bool]] = [[], [false], [true, false]]

  @Test(arguments: 0..<6)
  func `Rows after any changes are those of sorting all rows`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let keysDescending = Self.orders[Int(seed % 3)]
    let idsDescending = seed % 2 == 1
    let order = RowOrder(keysDescending: keysDescending, idsDescending: idsDescending)
    var model: [Int64: Entry] = [:]
    var rows = LiveRows<Int>([], ids: [], keys: [], order: order)
    func entry() -> Entry {
      let keys = keysDescending.map { _ in [nil, 1, 2, 3, 4].randomElement(using: &random) ?? nil }
      return Entry(keys: keys, row: Int.random(in: 0..<3, using: &random))
    }
    for step in 0..<60 {
      var ids: Set<Int64> = []
      let bound: Int64 = 1_600
      // The first steps add many rows, and the last ones remove most of them.
      for _ in 0..<(step < 12 ? 150 : 12) {
        ids.insert(Int64.random(in: 0..<bound, using: &random))
      }
      if step > 50 {
        let start = Int64.random(in: 0..<bound, using: &random)
        ids.formUnion(start..<start + 300)
      }
      let before = Array(rows)
      for id in ids {
        let removes = step > 50 || Int.random(in: 0..<4, using: &random) == 0
        if removes { model[id] = nil } else if Bool.random(using: &random) { model[id] = entry() }
      }
      let replacements = ids.compactMap { id in
        model[id].map { entry in
          let keys = entry.keys.map { $0.map { SQLValue.integer(Int64($0)) } ?? .null }
          return LiveRows<Int>.Replacement(id: id, keys: keys, row: entry.row)
        }
      }
      let (result, isDifferent) = rows.replacing(ids, by: replacements)
      let sorted = model.sorted { left, right in
        left.value.compare(right.value, keysDescending)
          ?? (idsDescending ? left.key > right.key : left.key < right.key)
      }
      let expected = sorted.map(\.value.row)
      try #require(Array(result) == expected, "seed \(seed), step \(step)")
      try #require(result.asArray == expected)
      try #require(result.indices.compactMap { result.id(at: $0) } == sorted.map(\.key))
      try #require(isDifferent == (expected != before), "seed \(seed), step \(step)")
      for index in stride(from: 0, to: sorted.count, by: 97) {
        try #require(result[index] == expected[index])
        try #require(result.index(of: sorted[index].key) == index)
      }
      try #require(result.index(of: bound * 2) == nil)
      rows = result
    }
  }

  @Test func `Numbers, texts and blobs are in SQLite's order`() {
    let values: [SQLValue] = [
      .null, .real(-1e300), .integer(.min), .real(-0.5), .integer(0), .real(0.5), .integer(1),
      .real(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max),
      .real(0x1p63), .text(""), .text("B"), .text("a"), .text("e\u{301}"), .text("\u{E9}"),
      .blob([]), .blob([1]), .blob([1, 0]), .blob([2]),
    ]
    let order = RowOrder(keysDescending: [false], idsDescending: false)
    let inOrder = values.enumerated().map { index, value in
      LiveRows<Int>.Replacement(id: Int64(100 - index), keys: [value], row: index)
    }
    let rows = LiveRows<Int>([], ids: [], keys: [], order: order)
    let ids = Set((0...100).map(Int64.init))
    let (result, _) = rows.replacing(ids, by: inOrder.reversed())
    #expect(Array(result) == Array(values.indices))
  }

  @Test func `A consumer that skipped versions gets the changes of all skipped versions`() {
    var history = RowHistory()
    history.add(nil)
    history.seal(1)
    #expect(history.changes(after: 0) == nil)
    history.add([1])
    history.add([2])
    history.seal(2)
    history.add([3])
    history.seal(3)
    #expect(history.changes(after: 1) == [1, 2, 3])
    #expect(history.changes(after: 2) == [3])
    history.add(nil)
    history.add([4])
    history.seal(4)
    #expect(history.changes(after: 3) == nil)
    for version in 5...40 {
      history.add([Int64(version)])
      history.seal(version)
    }
    #expect(history.changes(after: 39) == [40])
    // Older changes are forgotten.
    #expect(history.changes(after: 10) == nil)
  }
}
