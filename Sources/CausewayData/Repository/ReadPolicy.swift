/// Where a read takes its values from: what is stored, the network, or one after the other.
public enum ReadPolicy: Sendable, Hashable, CaseIterable {
  /// What is stored, if there is anything; otherwise the network.
  ///
  /// For data that others keep up to date, such as the rows of a running ``SyncEngine``.
  case cacheFirst

  /// The network; an error if it fails, whatever is stored.
  ///
  /// For what the user asked to see anew, such as by pulling down a list.
  case networkOnly

  /// What is stored, even if that is nothing; the network is left alone.
  case cacheOnly

  /// What is stored, if there is anything, while the network is asked behind it; otherwise the
  /// network.
  ///
  /// The newer values arrive where changes are observed.
  case staleWhileRevalidate

  /// Whether the network has to answer before the read returns.
  ///
  /// - Parameter isStored: Whether there is something stored.
  public func waitsForNetwork(isStored: Bool) -> Bool {
    switch self {
    case .networkOnly: true
    case .cacheOnly: false
    case .cacheFirst, .staleWhileRevalidate: !isStored
    }
  }

  /// Whether a background request follows a read that has returned stored data.
  ///
  /// - Parameter isStored: Whether there is something stored.
  public func refreshesBehind(isStored: Bool) -> Bool {
    self == .staleWhileRevalidate && isStored
  }
}
