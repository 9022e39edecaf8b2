import CFaultVFS

/// A layer under SQLite whose calls fail on request.
///
/// It is removed with its last reference.
final class FaultLayer: Sendable {
  /// Calls of the operating system that can fail.
  struct Calls: OptionSet {
    let rawValue: Int32
    static let open = Calls(rawValue: 1)
    static let read = Calls(rawValue: 2)
    static let write = Calls(rawValue: 4)
    static let sync = Calls(rawValue: 8)
    static let truncate = Calls(rawValue: 16)
    static let share = Calls(rawValue: 32)
    static let delete = Calls(rawValue: 64)
    static let size = Calls(rawValue: 128)
    /// The syncs that use a stronger call than `fsync`, on systems that have one.
    static let fullSync = Calls(rawValue: 256)
  }

  struct TooMany: Error {}

  let name: String
  private let layer: Int32

  init(_ directory: TemporaryDirectory) throws {
    name = "fault-" + directory.path.suffix(36)
    layer = causeway_fault_register(name)
    if layer < 0 { throw TooMany() }
  }

  deinit {
    causeway_fault_unregister(layer)
  }

  /// The number of calls since the layer was armed, and the number of failed ones.
  var count: Int { causeway_fault_count(layer) }
  var failures: Int { causeway_fault_failures(layer) }

  /// Makes the nth call fail, and also all later calls if `lasts` is set; 0 only counts.
  func arm(_ calls: Calls, nth: Int, code: Int32, lasts: Bool = false, torn: Bool = false) {
    causeway_fault_arm(layer, calls.rawValue, nth, code, lasts ? 1 : 0, torn ? 1 : 0)
  }

  func disarm() {
    causeway_fault_disarm(layer)
  }
}
