import Synchronization

/// The last four changes of single elements of an array.
///
/// Each change is identified by the version of the array before it. No other value of any array has
/// that version, so a copy that has changed separately is not mistaken for an earlier value.
@usableFromInline
struct RecentChanges: Sendable {
  /// The versions before the changes, latest first; 0 if there was none.
  @usableFromInline private(set) var versions: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  @usableFromInline private(set) var positions: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)

  @usableFromInline
  init() {}

  /// Adds the latest change, and gives the array its next version.
  ///
  /// - Parameter position: Less than 2^32, as in ``PositionTable``.
  @inlinable
  mutating func insert(_ position: Int, _ version: inout UInt64) {
    versions = (version, versions.0, versions.1, versions.2)
    positions = (UInt32(position), positions.0, positions.1, positions.2)
    version = IdentifiedArrayVersion.next()
  }

  /// Calls `body` with the position of each change since a version.
  ///
  /// Returns false without calling `body` if the changes are not known.
  @usableFromInline
  func forEach(since version: UInt64, _ body: (Int) -> Void) -> Bool {
    let versions = SIMD4(versions.0, versions.1, versions.2, versions.3)
    let positions = SIMD4(positions.0, positions.1, positions.2, positions.3)
    guard let oldest = versions.indices.first(where: { versions[$0] == version }) else {
      return false
    }
    for index in 0...oldest { body(Int(positions[index])) }
    return true
  }
}
