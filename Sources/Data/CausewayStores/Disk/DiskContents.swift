import CausewayBasics

/// The list of a store's files, in the order of their last use.
final class DiskContents {
  static let lockName = "lock"
  static let damagedName = "damaged"
  static let temporaryPrefix = "new-"

  /// Locks the directory against other stores.
  private let lock: any Sendable
  private var records = RecencyList<String, Int>()
  private(set) var bytes = 0
  private var lastNumber = 0
  private var lastTime: Int64 = 0

  /// - Parameter files: The record files, in any order.
  init(lock: any Sendable, files: [FileInfo]) {
    self.lock = lock
    for file in files.sorted(by: { ($0.modified, $0.name) < ($1.modified, $1.name) }) {
      store(file.name, size: Self.size(file.size))
    }
    // Other code can set any date. The limit ensures that a later date exists.
    lastTime = min(files.map(\.modified).max() ?? 0, .max / 2)
  }

  /// The disk space of a file: its size rounded up to blocks of 4 KiB.
  static func size(_ bytes: Int) -> Int {
    (bytes + 4_095) / 4_096 * 4_096
  }

  func store(_ file: String, size: Int) {
    bytes += size
    if let replaced = records.store(size, for: file, bytes: 0) { bytes -= replaced }
  }

  /// Marks a file as the most recent one; returns `false` if there is no such file.
  func use(_ file: String) -> Bool {
    records.use(file) != nil
  }

  func remove(_ file: String) {
    if let size = records.remove(file) { bytes -= size }
  }

  func removeAll() {
    records = RecencyList()
    bytes = 0
  }

  func removeOldest() -> String? {
    guard let oldest = records.removeOldest() else { return nil }
    bytes -= oldest.element
    return oldest.key
  }

  func takeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Returns a date for a file that is used now.
  ///
  /// It is later than all other dates, even if the clock was set back.
  func takeTime(_ milliseconds: Int64) -> Int64 {
    lastTime = max(milliseconds * 1_000_000, lastTime + 1_000)
    return lastTime
  }
}
