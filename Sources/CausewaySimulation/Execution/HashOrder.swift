import CausewaySystem

/// The order of the elements of sets and dictionaries.
enum HashOrder {
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
  /// seed, so the change is safe at any time. The order still differs between processes, unless the
  /// environment contains `SWIFT_DETERMINISTIC_HASHING`, which the standard library reads only when
  /// the process starts.
  static let isFixed: Bool = {
    guard let symbol = dlsym(nil, "_swift_stdlib_Hashing_parameters") else { return false }
    symbol.assumingMemoryBound(to: Parameters.self).pointee.isDeterministic = true
    return true
  }()
}
