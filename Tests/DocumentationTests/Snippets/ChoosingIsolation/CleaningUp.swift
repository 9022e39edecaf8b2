// snippet
@MainActor final class RowMirror {
  private(set) var rows: [Row] = []
  private var registration: RowDatabase.Registration?  // not Sendable

  func follow(_ database: RowDatabase) {
    registration = database.addListener { [weak self] rows, _ in
      Task { @MainActor in self?.rows = rows }
    }
  }

  isolated deinit { registration?.remove() }
}
// end

// snippet
final class PartlyIsolatedMirror {
  @MainActor private(set) var rows: [Row] = []
  private var registration: RowDatabase.Registration?  // belongs to no actor

  init() {}

  @MainActor func show(_ rows: [Row]) {
    self.rows = rows
  }

  func follow(_ database: RowDatabase) {
    registration = database.addListener { _, _ in }
  }

  deinit { registration?.remove() }
}
// end
