import Observation

/// Detects whether a read is observed.
///
/// The Observation module has no function for this. A `withObservationTracking` retains the key
/// path of every access that it tracks, until it has fired. Each cell therefore has its own key
/// path object. If this object has a second reference, the cell is observed.
///
/// If an unobserved read counts as observed, the only cost is a copy. This can happen when the
/// optimiser shares the key path object or retains it longer. If an observed read counted as
/// unobserved, a change would be lost. This could happen only with an Observation module that
/// tracks accesses without retaining the key path object. The probe tests the loaded module for
/// this once. If the test fails, every read counts as observed.
@MainActor
enum TrackingDetection {
  private static let isPossible = Probe().isTold
  /// Whether the probe has succeeded.
  ///
  /// A read of `isPossible` costs as much as the rest of the detection.
  @exclusivity(unchecked) private static var isVerified = false

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
  /// key path in between. The probe runs at the first read that is not observed, because its check
  /// fails during an observation.
  static func isTracked<Root>(_ keyPath: inout KeyPath<Root, Root>) -> Bool {
    if !isKnownUniquelyReferenced(&keyPath) { return true }
    return !isVerified && !verify()
  }

  @inline(never)
  private static func verify() -> Bool {
    isVerified = isPossible
    return isVerified
  }

  /// Reads a property with and without an observation.
  private final class Probe: Observable {
    private let registrar = ObservationRegistrar()
    private var keyPath = TrackingDetection.keyPath(of: Probe.self)

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
