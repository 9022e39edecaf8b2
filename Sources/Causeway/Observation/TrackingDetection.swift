import Observation

/// Detects whether a read is observed.
///
/// The Observation module has no function for it. It keeps the key path of every access that a
/// `withObservationTracking` follows until that has fired. So each cell has a key path object of
/// its own, and a second reference to that object says that the cell is observed.
///
/// An error in one direction only costs a copy: a read counts as observed and is not. That is so for
/// a key path object that is shared, immortal or still retained, whatever the optimiser has done. The
/// other direction would lose a change. It needs a module that follows an access without its key
/// path object. The probe tries that once, with the module that is loaded. If it fails, every read
/// counts as observed.
@MainActor
enum TrackingDetection {
  private static let isPossible = Probe().isTold

  /// Makes a key path object equal to `\.self`, the key path that hashes fastest.
  ///
  /// Not optimised, because a specialised copy would return one object for all. Every read would
  /// count as observed then.
  @inline(never)
  @_optimize(none)
  nonisolated static func keyPath<Root>(of type: Root.Type) -> KeyPath<Root, Root> {
    \Root.self
  }

  /// Whether an observation holds the key path; ask right after the access, on the same actor.
  ///
  /// The running observation keeps its accesses until it ends, so no other thread can let go of the
  /// key path in between. The probe runs at the first read that is not observed: in an observation
  /// that is under way its first check could not succeed.
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
