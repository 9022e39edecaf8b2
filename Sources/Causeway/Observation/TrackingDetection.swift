import Observation

/// Detects whether a read is observed.
///
/// Other reads then store no copy of the value.
///
/// The Observation module has no function for it. For every access that `withObservationTracking`
/// tracks, the module stores the key path until the observation fires. Each cell therefore has its
/// own key path object, and a second reference to that object means that the cell is observed. One
/// probe checks this behaviour. If the probe fails, every read counts as observed.
@MainActor
enum TrackingDetection {
  private static let isPossible = Probe().isTold

  /// Makes a key path object equal to `\.self`, the key path that hashes fastest.
  ///
  /// Not inlined: a specialised copy would return one object for all cells.
  @inline(never)
  @_optimize(none)
  nonisolated static func keyPath<Root>(of type: Root.Type) -> KeyPath<Root, Root> {
    \Root.self
  }

  /// Whether an observation holds the key path.
  static func isTracked<Root>(_ keyPath: inout KeyPath<Root, Root>) -> Bool {
    !isKnownUniquelyReferenced(&keyPath) || !isPossible
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
