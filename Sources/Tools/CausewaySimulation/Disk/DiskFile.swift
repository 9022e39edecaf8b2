import CausewayExploration

/// A file on a simulated disk: the bytes that programs see, and the bytes that a power failure
/// leaves.
///
/// Isolation: only the thread of its trial may use it.
final class DiskFile {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case resize(Int)
  }

  /// The size in bytes of the units in which a disk stores a write.
  static let sectorSize = 512

  /// Identifies the file on its disk, independently of its name.
  let number: UInt64
  /// The bytes that programs read.
  private(set) var bytes: [UInt8] = []
  /// The modification date, in nanoseconds since 1970.
  var modified: Int64
  /// The locks of SQLite's connections.
  let locks = FileLocks()
  /// The bytes that a power failure certainly leaves.
  private var durable: [UInt8] = []
  /// The changes since the last synchronisation, in order.
  private var changes: [Change] = []

  init(number: UInt64, modified: Int64) {
    self.number = number
    self.modified = modified
  }

  /// Writes bytes; a gap before them contains zeros.
  func write(_ new: [UInt8], at offset: Int) {
    Scheduler.ofThread?.markProgress()
    changes.append(.write(offset: offset, bytes: new))
    Self.write(new, at: offset, to: &bytes)
  }

  func resize(to size: Int) {
    guard size != bytes.count else { return }
    changes.append(.resize(size))
    Self.resize(&bytes, to: size)
  }

  /// Stores all changes on the disk.
  ///
  /// - Complexity: O(bytes of the changes).
  func synchronize() {
    Scheduler.ofThread?.markProgress()
    for change in changes { Self.apply(change, to: &durable) }
    changes = []
  }

  /// Stores some sectors of the changes since the last synchronisation, and forgets the others.
  ///
  /// Programs still read all changes, but a later synchronisation does not store them. Linux behaves
  /// like this after an error (A. Rebello et al., "Can Applications Recover from fsync Failures?",
  /// USENIX ATC 2020).
  func dropChanges(_ random: inout some RandomNumberGenerator) {
    for change in changes {
      switch change {
      case .resize: Self.apply(change, to: &durable)
      case .write(let offset, let new): writeSectors(of: new, at: offset, &random)
      }
    }
    changes = []
    // The file system knows the size of the file.
    Self.resize(&durable, to: bytes.count)
  }

  /// Removes all bytes at the end of a trial.
  func drop() {
    bytes = []
    durable = []
    changes = []
  }

  /// Changes one bit, on the disk too.
  func flipBit(_ random: inout SimulationRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
    bytes[place] ^= bit
    if durable.indices.contains(place) { durable[place] ^= bit }
  }

  /// Keeps, drops or tears each change since the last synchronisation.
  ///
  /// - Returns: A description of the losses; `nil` if the file has lost nothing.
  func losePower(_ random: inout SimulationRandom, tearsSectors: Bool) -> String? {
    if changes.isEmpty { return nil }
    // After a short outage, a disk usually has all changes or none, so both cases are separate
    // choices.
    enum Fate: CaseIterable { case everything, nothing, each }
    let fate = Fate.allCases.randomElement(using: &random) ?? .each
    for change in changes where fate != .nothing {
      switch change {
      case .resize:
        if fate == .everything || Bool.random(using: &random) { Self.apply(change, to: &durable) }
      case .write(let offset, let new):
        if fate == .everything {
          Self.apply(change, to: &durable)
        } else {
          writeSectors(of: new, at: offset, &random, tears: tearsSectors)
        }
      }
    }
    let (before, count) = (bytes, changes.count)
    changes = []
    bytes = durable
    return bytes == before
      ? nil : "has \(bytes.count) of \(before.count) bytes, without some of \(count) changes"
  }

  /// Writes each sector of a change, or leaves it out.
  ///
  /// - Parameter tears: Whether a part of a sector can be written.
  private func writeSectors(
    of new: [UInt8], at offset: Int, _ random: inout some RandomNumberGenerator, tears: Bool = false
  ) {
    var start = 0
    while start < new.count {
      let end = min(new.count, start + Self.sectorSize - (offset + start) % Self.sectorSize)
      var kept = Bool.random(using: &random) ? end : start
      if tears { kept = Int.random(in: start...end, using: &random) }
      if kept > start {
        Self.write(Array(new[start..<kept]), at: offset + start, to: &durable)
      }
      start = end
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new): write(new, at: offset, to: &bytes)
    case .resize(let size): resize(&bytes, to: size)
    }
  }

  private static func write(_ new: [UInt8], at offset: Int, to bytes: inout [UInt8]) {
    if offset == bytes.count { return bytes.append(contentsOf: new) }
    if bytes.count < offset + new.count { resize(&bytes, to: offset + new.count) }
    bytes.withUnsafeMutableBytes { target in
      new.withUnsafeBytes { target[offset..<offset + new.count].copyBytes(from: $0) }
    }
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      // In a build without optimisation, this is much faster than `repeatElement`.
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }
}
