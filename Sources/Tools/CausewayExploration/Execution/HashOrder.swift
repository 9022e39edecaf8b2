import CausewaySystem

/// The order of the elements of sets and dictionaries.
package enum HashOrder {
  /// The layout of the standard library's hashing parameters.
  private struct Parameters {
    var seed0: UInt64
    var seed1: UInt64
    var isDeterministic: Bool
  }

  /// Whether equal tables have equal orders; the first use of this constant ensures it.
  ///
  /// By default the order of a table depends on its address. Two trials with one seed would then
  /// resume the waiters of a dictionary in different orders. A table that exists keeps its own
  /// seed, so the change is safe at any time.
  package static let isFixed: Bool = {
    guard let parameters else { return false }
    parameters.pointee.isDeterministic = true
    return true
  }()

  /// Whether equal tables have equal orders in other processes too.
  ///
  /// This needs seeds that are 0 from the start of the process: the environment must contain
  /// `SWIFT_DETERMINISTIC_HASHING`.
  package static let isSameInAllProcesses: Bool = {
    guard isFixed, let parameters else { return false }
    return parameters.pointee.seed0 == 0 && parameters.pointee.seed1 == 0
  }()

  private static var parameters: UnsafeMutablePointer<Parameters>? {
    dlsym(nil, "_swift_stdlib_Hashing_parameters")?.assumingMemoryBound(to: Parameters.self)
  }
}
