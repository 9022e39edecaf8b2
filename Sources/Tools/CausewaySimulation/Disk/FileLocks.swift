/// The locks and the shared memory of the SQLite connections that have a file open.
///
/// They end with the process, so a crash removes them.
final class FileLocks {
  /// A connection's lock on the main file.
  enum Level: Int32, Comparable {
    case none, shared, reserved, pending, exclusive

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private var levels: [ObjectIdentifier: Level] = [:]
  /// The owners of each lock on the index of the write-ahead log.
  private var slots = Array(repeating: Slot(), count: 8)
  /// The regions of the index.
  private var regions: [UnsafeMutableRawPointer] = []
  private var users: Set<ObjectIdentifier> = []

  private struct Slot {
    var shared: Set<ObjectIdentifier> = []
    var exclusive: ObjectIdentifier?
  }

  deinit {
    for region in regions { region.deallocate() }
  }

  // MARK: - The file

  func level(of owner: ObjectIdentifier) -> Level { levels[owner] ?? .none }

  /// Raises a lock; returns false if another lock prevents it.
  func lock(_ owner: ObjectIdentifier, _ wanted: Level) -> Bool {
    let current = level(of: owner)
    guard wanted > current else { return true }
    let others = levels.filter { $0.key != owner }.values
    switch wanted {
    case .none: return true
    case .shared:
      if others.contains(where: { $0 >= .pending }) { return false }
    case .reserved, .pending:
      if others.contains(where: { $0 >= .reserved }) { return false }
    case .exclusive:
      if others.contains(where: { $0 >= .reserved }) { return false }
      if !others.isEmpty {
        // New readers must wait, while the current ones finish.
        levels[owner] = .pending
        return false
      }
    }
    levels[owner] = wanted
    return true
  }

  func unlock(_ owner: ObjectIdentifier, to level: Level) {
    levels[owner] = level == .none ? nil : min(level, self.level(of: owner))
  }

  var isReserved: Bool { levels.values.contains { $0 >= .reserved } }

  // MARK: - The index of the write-ahead log

  /// Returns a region of the index; `nil` if it does not exist and may not be created.
  func region(
    _ index: Int, size: Int, for owner: ObjectIdentifier, extends: Bool
  ) -> UnsafeMutableRawPointer? {
    users.insert(owner)
    while regions.count <= index {
      guard extends else { return nil }
      let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      regions.append(region)
    }
    return regions[index]
  }

  /// Locks or unlocks a range of slots; returns false if another lock prevents it.
  func change(
    _ range: Range<Int>, of owner: ObjectIdentifier, isShared: Bool, locks: Bool
  ) -> Bool {
    if !locks {
      for index in range {
        slots[index].shared.remove(owner)
        if slots[index].exclusive == owner { slots[index].exclusive = nil }
      }
      return true
    }
    for index in range {
      if let exclusive = slots[index].exclusive, exclusive != owner { return false }
      if !isShared, !slots[index].shared.subtracting([owner]).isEmpty { return false }
    }
    for index in range {
      if isShared { slots[index].shared.insert(owner) } else { slots[index].exclusive = owner }
    }
    return true
  }

  /// Removes a connection from the index; the last connection frees the index.
  func unmap(_ owner: ObjectIdentifier) {
    users.remove(owner)
    _ = change(slots.indices, of: owner, isShared: false, locks: false)
    guard users.isEmpty else { return }
    for region in regions { region.deallocate() }
    regions = []
  }
}
