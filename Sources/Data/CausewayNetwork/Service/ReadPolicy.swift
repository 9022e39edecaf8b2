/// Whether a read uses the stored data, the network, or both.
public enum ReadPolicy: Sendable, Hashable, CaseIterable {
  /// Returns the stored value if there is one, otherwise uses the network.
  ///
  /// Use it for data that other code keeps up to date, such as the rows of a running
  /// ``SyncEngine``.
  case cacheFirst

  /// Uses the network, and fails if the network fails.
  ///
  /// Use it for an explicit refresh, for example when the user pulls down a list.
  case networkOnly

  /// Returns the stored value and never uses the network.
  ///
  /// The read fails if nothing is stored.
  case cacheOnly

  /// Returns the stored value and refreshes it in the background.
  ///
  /// If nothing is stored, the read uses the network.
  ///
  /// Observers of the data receive the newer values.
  case staleWhileRevalidate

  /// Whether the read waits for the network.
  ///
  /// - Parameter isStored: Whether a value is stored.
  package func waitsForNetwork(isStored: Bool) -> Bool {
    switch self {
    case .networkOnly: true
    case .cacheOnly: false
    case .cacheFirst, .staleWhileRevalidate: !isStored
    }
  }

  /// Whether a background request follows a read that returned a stored value.
  ///
  /// - Parameter isStored: Whether a value is stored.
  package func refreshesBehind(isStored: Bool) -> Bool {
    self == .staleWhileRevalidate && isStored
  }
}
