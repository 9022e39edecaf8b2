/// The positions of ids in an array: a hash table of numbers.
///
/// The table stores no ids. An entry has two halves: a part of the id's hash, and the position plus
/// one. The table can therefore grow without hashing an id again, and change positions without
/// reading an id. It uses linear probing. A removal leaves no marker, because it moves the entries
/// behind it.
@usableFromInline
struct PositionTable: Sendable {
  /// The entries; their number is zero or a power of two, and at most three quarters of them are
  /// used.
  ///
  /// The value of a free entry is zero.
  @usableFromInline private(set) var entries: ContiguousArray<UInt64> = []

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { entries.isEmpty }

  /// The part of an id's hash that the table stores.
  @inlinable
  static func hash<ID: Hashable>(_ id: ID) -> UInt32 {
    guard ID.self == Int.self else { return UInt32(truncatingIfNeeded: id.hashValue) }
    // The hash of the standard library takes longer for a number than the rest of a search.
    let number = UInt64(bitPattern: Int64(unsafeBitCast(id, to: Int.self)))
    let product = (number ^ secret.key).multipliedFullWidth(by: secret.factor)
    return UInt32(truncatingIfNeeded: product.high ^ product.low)
  }

  /// Random numbers of this process.
  ///
  /// Without them, an attacker could choose ids that all have the same hash.
  @usableFromInline
  static let secret = (
    key: UInt64.random(in: .min ... .max), factor: UInt64.random(in: .min ... .max) | 1
  )

  @inlinable
  static func entry(_ position: Int, _ hash: UInt32) -> UInt64 {
    // The conversion stops the program if the position does not fit: from 2^32 - 1 on.
    UInt64(hash) << 32 | UInt64(UInt32(position + 1))
  }

  /// The first position that has the given hash and satisfies the condition, or `nil`.
  ///
  /// Call it only if the table is not empty.
  ///
  /// Complexity: O(1) on average.
  @inlinable
  func position(_ hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
    entries.withUnsafeBufferPointer { entries in
      let mask = entries.count &- 1
      var index = Int(hash) & mask
      while entries[index] != 0 {
        if UInt32(truncatingIfNeeded: entries[index] >> 32) == hash {
          let position = Int(UInt32(truncatingIfNeeded: entries[index])) &- 1
          if isMatch(position) { return position }
        }
        index = (index &+ 1) & mask
      }
      return nil
    }
  }

  /// Adds the position of an id that is not in the table.
  ///
  /// - Parameter count: The number of ids that the table contains already.
  ///
  /// Complexity: O(1) amortised.
  @inlinable
  mutating func insert(_ position: Int, _ hash: UInt32, count: Int) {
    reserve(count &+ 1)
    insert(entry: Self.entry(position, hash))
  }

  /// Makes room for a number of ids.
  @inlinable
  mutating func reserve(_ count: Int) {
    if 4 &* count > 3 &* entries.count { grow(to: count) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(to count: Int) {
    var capacity = max(16, entries.count)
    while 4 * count > 3 * capacity { capacity *= 2 }
    let old = entries
    entries = ContiguousArray(repeating: 0, count: capacity)
    for entry in old where entry != 0 { insert(entry: entry) }
  }

  /// Whether the table is far larger than necessary for a number of ids.
  ///
  /// A shift and a copy of the table take time for each entry.
  private func isTooLarge(for count: Int) -> Bool { entries.count > 8 * max(16, count) }

  /// Frees memory after a removal if few of the entries are still used.
  ///
  /// Complexity: O(1) amortised.
  mutating func shrink(to count: Int) {
    guard isTooLarge(for: count) else { return }
    let old = entries
    entries = []
    grow(to: count)
    for entry in old where entry != 0 { insert(entry: entry) }
  }

  @usableFromInline
  mutating func insert(entry: UInt64) {
    entries.withUnsafeMutableBufferPointer { entries in
      let mask = entries.count &- 1
      var index = Int(entry >> 32) & mask
      while entries[index] != 0 { index = (index &+ 1) & mask }
      entries[index] = entry
    }
  }

  /// Removes the position of an id.
  ///
  /// Complexity: O(1) on average.
  @usableFromInline
  mutating func remove(_ position: Int, _ hash: UInt32) {
    let entry = Self.entry(position, hash)
    entries.withUnsafeMutableBufferPointer { entries in
      let mask = entries.count &- 1
      var hole = Self.index(of: entry, in: entries)
      var index = (hole &+ 1) & mask
      while entries[index] != 0 {
        // Moves the entry to the hole, unless the hole is before the entry's preferred place.
        let home = Int(entries[index] >> 32) & mask
        if (index &- home) & mask >= (index &- hole) & mask {
          entries[hole] = entries[index]
          hole = index
        }
        index = (index &+ 1) & mask
      }
      entries[hole] = 0
    }
  }

  /// Changes the position of an id.
  ///
  /// Complexity: O(1) on average.
  mutating func move(_ position: Int, to new: Int, _ hash: UInt32) {
    let (old, new) = (Self.entry(position, hash), Self.entry(new, hash))
    entries.withUnsafeMutableBufferPointer { entries in
      entries[Self.index(of: old, in: entries)] = new
    }
  }

  private static func index(of entry: UInt64, in entries: UnsafeMutableBufferPointer<UInt64>) -> Int
  {
    let mask = entries.count &- 1
    var index = Int(entry >> 32) & mask
    while entries[index] != entry {
      // `precondition` prints no message in a release build.
      if entries[index] == 0 { fatalError("An element in an IdentifiedArray has changed its id.") }
      index = (index &+ 1) & mask
    }
    return index
  }

  /// Adds a number to all positions of a range.
  ///
  /// Complexity: O(*n*) in the number of entries, at less than a nanosecond for each.
  mutating func shift(_ range: Range<Int>, by offset: Int) {
    let first = UInt32(range.lowerBound + 1)
    let length = UInt32(range.count)
    let change = UInt64(bitPattern: Int64(offset))
    entries.withUnsafeMutableBufferPointer { entries in
      for index in entries.indices {
        // A free entry is zero. It is outside of every range, because ranges begin at one or later.
        let isInside = UInt32(truncatingIfNeeded: entries[index]) &- first < length
        entries[index] &+= isInside ? change : 0
      }
    }
  }

  /// Removes all positions.
  ///
  /// Keeps the memory if a number of ids can use it.
  mutating func removeAll(keepingRoomFor count: Int) {
    if isTooLarge(for: count) { entries = [] }
    entries.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
  }
}
