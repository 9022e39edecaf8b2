import Observation

/// Detects whether a read is observed.
///
/// The Observation module has no function for this. There are two ways to find out:
/// - A `withObservationTracking` hashes the key path of every access. A read accesses the key path
///   of an ``ObservationProbe``, which records that it was hashed. If no observation is running,
///   the read needs no cell.
/// - A `withObservationTracking` retains the key path of every access that it tracks, until it has
///   fired. Each cell therefore has its own key path object. If this object has a second reference,
///   the cell is observed.
///
/// If an unobserved read counts as observed, the only cost is a copy. This can happen when the
/// optimiser shares the key path object or retains it longer. If an observed read counted as
/// unobserved, a change would be lost. This could happen only with an Observation module that
/// tracks accesses in another way. The loaded module is tested for this once. If the test fails,
/// every read counts as observed.
@MainActor
enum TrackingDetection {
  private static let isPossible = Retention().isTold && ObservationTable().isProbeTold
  /// Whether the test has succeeded.
  ///
  /// A read of `isPossible` costs as much as the rest of the detection.
  @exclusivity(unchecked) private(set) static var isVerified = false

  /// The number of reads that count as observed without a probe, because an earlier read was
  /// observed.
  ///
  /// A probe in an observation adds an entry to the observation. Observations belong to the
  /// thread, so the runtimes share this number.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) static var assumedReads = 0
  /// The number of assumed reads after the next observed probe.
  @exclusivity(unchecked) private static var assumption = 64

  /// Called when a probe was observed.
  static func assumeMore() {
    assumedReads = assumption
    assumption = min(2 * assumption, 4096)
  }

  /// Called when a read was not observed.
  @inline(__always)
  static func stopAssuming() {
    assumedReads = 0
    assumption = 64
  }

  /// Makes a key path object equal to `\.self`, the key path that hashes fastest.
  ///
  /// Not optimised, because a specialised copy would return the same object for all cells. Every
  /// read would then count as observed.
  @inline(never)
  @_optimize(none)
  nonisolated static func keyPath<Root>(of type: Root.Type) -> KeyPath<Root, Root> {
    \Root.self
  }

  /// Whether an observation retains the key path; call it right after the access, on the same
  /// actor.
  ///
  /// The running observation retains its accesses until it ends, so no other thread can release the
  /// key path in between. The test runs at the first read that is not observed, because it fails
  /// during an observation.
  @inline(__always)
  static func isTracked<Root, Value>(_ keyPath: inout KeyPath<Root, Value>) -> Bool {
    if !isKnownUniquelyReferenced(&keyPath) { return true }
    return !isVerified && !verify()
  }

  @inline(never)
  static func verify() -> Bool {
    isVerified = isPossible
    return isVerified
  }

  /// Reads a property with and without an observation.
  private final class Retention: Observable {
    private let registrar = ObservationRegistrar()
    private var keyPath = TrackingDetection.keyPath(of: Retention.self)

    var isTold: Bool {
      registrar.access(self, keyPath: keyPath)
      guard isKnownUniquelyReferenced(&keyPath) else { return false }
      var isTold = false
      withObservationTracking {
        registrar.access(self, keyPath: keyPath)
        isTold = !isKnownUniquelyReferenced(&keyPath)
      } onChange: {
      }
      registrar.willSet(self, keyPath: keyPath)
      return isTold
    }
  }
}
