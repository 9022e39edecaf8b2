import TestSupport
import Testing

@testable import Causeway

nonisolated struct IdentifiedArrayTests {
  struct Item: Identifiable, Equatable, Hashable, Sendable {
    let id: Int
    var value = 0
  }

  typealias Items = IdentifiedArray<Int, Item>

  /// Compares with a plain array in every way that the array offers.
  private func same(_ items: Items, _ plain: [Item]) -> Bool {
    Array(items) == plain && items.ids == plain.map(\.id) && items.count == plain.count
      && plain.enumerated().allSatisfy { position, item in
        items[id: item.id] == item && items.index(id: item.id) == position
          && items.contains(id: item.id) && items[position] == item
      }
      && (0..<20).allSatisfy { id in
        items.contains(id: id) == plain.contains { $0.id == id }
      }
      && items == Items(uniqueElements: plain)
  }

  @Test func `random operations have the same results as on a plain array`() {
    for seed in 0..<400 {
      var random = SeededRandom(seed: UInt64(seed))
      var items = Items()
      var plain: [Item] = []
      var trace: [String] = []
      for step in 0..<40 {
        let id = Int.random(in: 0..<12, using: &random)
        let item = Item(id: id, value: step)
        let position = plain.firstIndex { $0.id == id }
        // A second owner, whose value must not change.
        let copy = items
        let plainCopy = plain
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1:
          trace.append("append \(id)")
          let isNew = items.append(item)
          #expect(isNew == (position == nil))
          if position == nil { plain.append(item) }
        case 2:
          let place = Int.random(in: 0...plain.count, using: &random)
          trace.append("insert \(id) at \(place)")
          let isNew = items.insert(item, at: place)
          #expect(isNew == (position == nil))
          if position == nil { plain.insert(item, at: place) }
        case 3:
          trace.append("updateOrAppend \(id)")
          let replaced = items.updateOrAppend(item)
          #expect(replaced == position.map { plain[$0] })
          if let position { plain[position] = item } else { plain.append(item) }
        case 4:
          trace.append("remove \(id)")
          let removed = items.remove(id: id)
          #expect(removed == position.map { plain[$0] })
          if let position { plain.remove(at: position) }
        case 5:
          trace.append("set \(id) to nil")
          items[id: id] = nil
          if let position { plain.remove(at: position) }
        case 6:
          trace.append("set \(id)")
          items[id: id] = item
          if let position { plain[position] = item } else { plain.append(item) }
        case 7:
          trace.append("modify \(id)")
          let result = items.modify(id: id) { item in
            item.value += 1
            return item.value
          }
          if let position { plain[position].value += 1 }
          #expect(result == position.map { plain[$0].value })
        case 8:
          trace.append("sort")
          let isAscending = Bool.random(using: &random)
          items.sort { isAscending ? $0.id < $1.id : $0.id > $1.id }
          plain.sort { isAscending ? $0.id < $1.id : $0.id > $1.id }
        case 9 where !plain.isEmpty:
          let (from, to) = (
            Int.random(in: 0..<plain.count, using: &random),
            Int.random(in: 0..<plain.count, using: &random)
          )
          trace.append("move \(from) to \(to)")
          items.move(from: from, to: to)
          plain.insert(plain.remove(at: from), at: to)
        default:
          let remainder = Int.random(in: 0..<4, using: &random)
          trace.append("removeAll \(remainder)")
          items.removeAll { $0.id % 4 == remainder }
          plain.removeAll { $0.id % 4 == remainder }
        }
        guard same(items, plain), same(copy, plainCopy) else {
          Issue.record("seed \(seed): \(trace) gave \(items), not \(plain)")
          return
        }
      }
    }
  }

  /// An id that has the same hash as several others.
  struct Name: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) {
      hasher.combine(number % 64)
    }
  }

  struct Person: Identifiable, Equatable, Sendable {
    let id: Name
    var value = 0
  }

  @Test(arguments: [(5, 20), (60, 10), (400, 1)])
  func `operations on long arrays with equal hashes have the same results as on a plain array`(
    limit: Int, seeds: Int
  ) {
    for seed in 0..<seeds {
      var random = SeededRandom(seed: UInt64(seed))
      var people = IdentifiedArray<Name, Person>()
      var plain: [Person] = []
      for step in 0..<(4 * limit) {
        let person = Person(
          id: Name(number: Int.random(in: 0..<limit, using: &random)), value: step)
        let position = plain.firstIndex { $0.id == person.id }
        let copy = people
        let plainCopy = plain
        // A position that does not exist is ignored.
        let offsets = (0..<3).map { _ in Int.random(in: -1...plain.count, using: &random) }
        let valid = Set(offsets).filter(plain.indices.contains).sorted()
        switch Int.random(in: 0..<15, using: &random) {
        case 10:
          people.remove(atOffsets: offsets)
          for offset in valid.reversed() { plain.remove(at: offset) }
        case 11:
          let to = Int.random(in: -1...plain.count + 1, using: &random)
          people.move(fromOffsets: offsets, toOffset: to)
          let moved = valid.map { plain[$0] }
          let place = min(max(to, 0), plain.count) - valid.count { $0 < to }
          for offset in valid.reversed() { plain.remove(at: offset) }
          plain.insert(contentsOf: moved, at: place)
        case 12 where valid.count > 1:
          people.swapAt(valid[0], valid[1])
          plain.swapAt(valid[0], valid[1])
        case 13:
          let added = [person, person, Person(id: Name(number: (step * 7) % limit), value: step)]
          people += added
          for each in added where !plain.contains(where: { $0.id == each.id }) {
            plain.append(each)
          }
        case 14 where !valid.isEmpty:
          #expect(people.remove(at: valid[0]) == plain.remove(at: valid[0]))
        case 0...3:
          _ = people.append(person)
          if position == nil { plain.append(person) }
        case 4, 5:
          let place = Int.random(in: 0...plain.count, using: &random)
          _ = people.insert(person, at: place)
          if position == nil { plain.insert(person, at: place) }
        case 6:
          #expect(people.remove(id: person.id) == position.map { plain.remove(at: $0) })
        case 7 where plain.count > 1:
          // Both ends, and positions near them, where elements are renumbered one by one.
          let place = [0, 1, plain.count - 1, plain.count - 2].randomElement(using: &random) ?? 0
          people[id: plain[place].id] = nil
          plain.remove(at: place)
        case 8 where plain.count > 1:
          let from = Int.random(in: 0..<plain.count, using: &random)
          let to = Int.random(in: 0..<plain.count, using: &random)
          people.move(from: from, to: to)
          plain.insert(plain.remove(at: from), at: to)
        default:
          let remainder = Int.random(in: 0..<16, using: &random)
          people.removeAll { $0.id.number % 16 == remainder }
          plain.removeAll { $0.id.number % 16 == remainder }
        }
        let isSame =
          Array(people) == plain && Array(copy) == plainCopy
          && plain.enumerated().allSatisfy { people.index(id: $1.id) == $0 }
          && plainCopy.enumerated().allSatisfy { copy.index(id: $1.id) == $0 }
          && (0..<limit).count { people.contains(id: Name(number: $0)) } == plain.count
        guard isSame else {
          Issue.record("seed \(seed), step \(step): \(people) is not \(plain)")
          return
        }
      }
    }
  }

  /// An id that counts how often it is hashed.
  struct CountedID: Hashable, Sendable {
    let number: Int
    let hashes: Log<Int>

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) {
      hashes.append(number)
      hasher.combine(number)
    }
  }

  @Test(arguments: [0, 1, 500, 990, 998, 999])
  func `a removal hashes only the ids of a few rows, wherever the row is`(position: Int) {
    struct Row: Identifiable, Sendable { let id: CountedID }
    let hashes = Log<Int>()
    let row = Row(id: CountedID(number: position, hashes: hashes))
    var rows = IdentifiedArray(
      uniqueElements: (0..<1_000).map { Row(id: CountedID(number: $0, hashes: hashes)) })
    let built = hashes.all.count
    rows.remove(id: row.id)
    #expect(rows.count == 999)
    // One for the search, one for the removal, and one for each row that moves, if these are few.
    #expect(hashes.all.count - built <= 2 + min(999 - position, 128))
    _ = rows.insert(row, at: position)
    #expect(hashes.all.count - built <= 2 * (2 + min(999 - position, 128)))
    #expect(rows.ids.map(\.number) == Array(0..<1_000))
  }

  @Test func `elements with the same id are combined at the position of the first`() {
    let items = Items(
      [Item(id: 1, value: 1), Item(id: 2, value: 2), Item(id: 1, value: 3)], id: { $0.id },
      uniquingWith: { Item(id: $0.id, value: $0.value * 10 + $1.value) })
    #expect(Array(items) == [Item(id: 1, value: 13), Item(id: 2, value: 2)])
  }

  @Test func `a modification keeps the changes made before an error`() {
    struct Problem: Error {}
    var items = Items(uniqueElements: [Item(id: 1)])
    #expect(throws: Problem.self) {
      try items.modify(id: 1) { item in
        item.value = 5
        throw Problem()
      }
    }
    #expect(items[id: 1]?.value == 5)
  }

  @Test(arguments: [1, 2, 3])
  func `a change through the subscript keeps the changes made before an error`(count: Int) {
    struct Problem: Error {}
    func change(_ item: inout Item?, to new: Item?) throws {
      item = new
      throw Problem()
    }
    var items = Items(uniqueElements: (1...count).map { Item(id: $0) })
    let copy = items
    for id in 1...count {
      #expect(throws: Problem.self) { try change(&items[id: id], to: Item(id: id, value: 5)) }
    }
    #expect(items.map(\.value) == Array(repeating: 5, count: count))
    for id in 1...count {
      #expect(throws: Problem.self) { try change(&items[id: id], to: nil) }
      #expect(items.ids == Array(1...count).filter { $0 > id })
      #expect(items.allSatisfy { items[id: $0.id] == $0 })
    }
    #expect(copy.ids == Array(1...count), "a second owner's value has not changed")
  }

  @Test func `equality and hashing depend on the elements and their order`() {
    var one = Items(uniqueElements: [Item(id: 1), Item(id: 2)])
    let two = Items(uniqueElements: [Item(id: 2), Item(id: 1)])
    #expect(one != two)
    one.move(from: 0, to: 1)
    #expect(one == two)
    #expect(one.hashValue == two.hashValue)
    #expect("\(one)" == "\(Array(two))")
  }

  #if os(Linux) || os(macOS) || os(Windows)
    @Test func `two elements with one id trap with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Items(uniqueElements: [Item(id: 3, value: 1), Item(id: 3, value: 2)])
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Two elements have the id 3"))
      #expect(text.contains("uniquingWith"))
    }

    @Test func `combining two elements into one with another id traps with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Items([Item(id: 3), Item(id: 3)], id: { $0.id }) { _, _ in Item(id: 4) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("from 3 to 4"))
    }

    @Test func `changing the id of an element in place traps with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        struct Loose: Identifiable, Sendable { var id: Int }
        var items = IdentifiedArray(uniqueElements: [Loose(id: 3)])
        items.modify(id: 3) { $0.id = 4 }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("from 3 to 4"))
    }

    @Test func `setting an element under another id traps with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var items = Items()
        items[id: 3] = Item(id: 4)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Remove it and add the other one"))
    }
  #endif

  @Test func `random changes through the subscript have the same results as on a plain array`() {
    for seed in 0..<400 {
      var random = SeededRandom(seed: UInt64(seed))
      var items = Items(uniqueElements: (0..<6).map { Item(id: $0) })
      var plain = Array(items)
      for step in 1..<20 {
        let id = Int.random(in: 0..<8, using: &random)
        let copy = items
        let plainCopy = plain
        let position = plain.firstIndex { $0.id == id }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          items[id: id]?.value += step
          if let position { plain[position].value += step }
        case 1:
          items[id: id] = nil
          plain.removeAll { $0.id == id }
        case 2:
          items[id: id] = Item(id: id, value: step)
          if let position {
            plain[position].value = step
          } else {
            plain.append(Item(id: id, value: step))
          }
        default:
          guard let position else { continue }
          let other = Item(id: 100 * seed + 10 + step, value: step)
          items[position] = other
          plain[position] = other
        }
        #expect(Array(items) == plain && items.ids == plain.map(\.id))
        #expect(plain.allSatisfy { items[id: $0.id] == $0 })
        #expect(items[id: id] == plain.first { $0.id == id })
        #expect(Array(copy) == plainCopy, "a second owner's value has not changed")
      }
    }
  }

  struct Tagged: Identifiable, Sendable {
    let id: Int
    var tags: [Int]
  }

  @Test(arguments: [1, 2, 100])
  func `changing a part of an element through the subscript copies nothing`(count: Int) {
    var items = IdentifiedArray(
      uniqueElements: (0..<count).map { Tagged(id: $0, tags: Array(repeating: 0, count: 1_000)) })
    for id in 0..<count {
      let before = items[id: id]?.tags.withUnsafeBufferPointer { $0.baseAddress }
      items[id: id]?.tags[0] += 1
      let after = items[id: id]?.tags.withUnsafeBufferPointer { $0.baseAddress }
      #expect(before == after)
    }
  }

  @Test(arguments: [1, 2, 100])
  func `changing a part of an element through its position copies nothing`(count: Int) {
    var items = IdentifiedArray(
      uniqueElements: (0..<count).map { Tagged(id: $0, tags: Array(repeating: 0, count: 1_000)) })
    for position in 0..<count {
      let before = items[position].tags.withUnsafeBufferPointer { $0.baseAddress }
      items[position].tags[0] += 1
      let after = items[position].tags.withUnsafeBufferPointer { $0.baseAddress }
      #expect(before == after)
      #expect(items[position].tags[0] == 1)
    }
  }

  @Test(arguments: [1, 2, 100])
  func `an element that replaces another at its position is found by its own id`(count: Int) {
    var items = Items(uniqueElements: (0..<count).map { Item(id: $0) })
    for position in 0..<count {
      let version = items.changes.membership
      items[position] = Item(id: 1_000 + position, value: position)
      #expect(items.changes.membership != version)
      #expect(items[id: position] == nil)
      #expect(items[id: 1_000 + position]?.value == position)
    }
    #expect(items.ids == (0..<count).map { 1_000 + $0 })
    // Only the last element is left, but the array still has an index.
    for id in items.ids.dropLast() { items.remove(id: id) }
    items[0] = Item(id: 7)
    #expect(items[id: 7] != nil && items[id: 999 + count] == nil)
  }

  @Test(arguments: [3, 100], [false, true])
  func `after the removal of all elements new ones are found`(count: Int, keepsCapacity: Bool) {
    var items = Items(uniqueElements: (0..<count).map { Item(id: $0) })
    let copy = items
    items.removeAll(keepingCapacity: keepsCapacity)
    #expect(items.isEmpty && !items.contains(id: 1))
    #expect(copy.count == count && copy.contains(id: 1))
    for id in (0..<count).reversed() { _ = items.append(Item(id: id)) }
    #expect(items.index(id: 0) == count - 1)
  }

  @Test(arguments: [0, 5, 100])
  func `after the removal of nearly all elements the index is small`(rest: Int) {
    var items = Items(uniqueElements: (0..<20_000).map { Item(id: $0) })
    items.removeAll { $0.id >= rest }
    #expect(items.positions.entries.count <= 8 * max(16, rest))
    #expect((0..<20_000).count { items.contains(id: $0) } == rest)
    for id in 20_000..<20_020 { _ = items.append(Item(id: id)) }
    #expect(items.ids == Array(0..<rest) + Array(20_000..<20_020))
    #expect(items.enumerated().allSatisfy { items.index(id: $1.id) == $0 })
  }

  @Test func `the index shrinks while elements are removed one by one`() {
    var items = Items(uniqueElements: (0..<2_000).map { Item(id: $0) })
    let copy = items
    var random = SeededRandom(seed: 7)
    while let item = items.randomElement(using: &random) {
      items.remove(id: item.id)
      let isRight =
        items.positions.entries.count <= 8 * max(16, items.count)
        && !items.contains(id: item.id)
        && (items.count % 50 != 0
          || items.enumerated().allSatisfy { items.index(id: $1.id) == $0 })
      guard isRight else {
        Issue.record("after the removal of \(item.id): \(items.positions.entries.count) entries")
        return
      }
    }
    #expect(copy.enumerated().allSatisfy { copy.index(id: $1.id) == $0 })
  }

  @Test func `an array literal and a rule for equal ids make arrays`() {
    let items: Items = [Item(id: 1, value: 1), Item(id: 2, value: 2)]
    #expect(items.ids == [1, 2])
    let merged = Items([Item(id: 1, value: 1), Item(id: 1, value: 2)]) { _, second in second }
    #expect(Array(merged) == [Item(id: 1, value: 2)])
  }
}
