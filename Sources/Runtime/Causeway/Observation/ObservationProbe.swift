import Synchronization

/// The argument of a key path that an observation hashes when it tracks an access.
///
/// A read accesses this key path to find out whether an observation is running. See
/// ``TrackingDetection``.
struct ObservationProbe: Hashable {
  /// Whether a probe was hashed since the last reset.
  ///
  /// An observation on another thread may set it too. The read then counts as observed, which only
  /// costs time.
  @inline(__always)
  static var wasHashed: Bool {
    get { hashed.load(ordering: .relaxed) }
    set { hashed.store(newValue, ordering: .relaxed) }
  }

  private static let hashed = Atomic(false)

  static let keyPath: any KeyPath<ObservationTable, Void> & Sendable =
    \ObservationTable.[ObservationProbe()]

  func hash(into hasher: inout Hasher) {
    Self.wasHashed = true
  }
}

extension ObservationTable {
  /// The value to which the key path of a probe leads.
  nonisolated subscript(probe: ObservationProbe) -> Void { () }
}
