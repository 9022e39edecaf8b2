/// The version numbers of an array, and its latest changes.
@usableFromInline
struct ArrayChanges: Sendable {
  /// Two arrays with the same number contain the same ids.
  @usableFromInline private(set) var membership: UInt64
  /// Two arrays with the same number contain the same ids in the same order.
  @usableFromInline private(set) var arrangement: UInt64
  /// Two arrays with the same number contain the same elements in the same order.
  @usableFromInline private(set) var version: UInt64
  @usableFromInline private(set) var recent = RecentChanges()

  @inlinable
  init() {
    version = IdentifiedArrayVersion.next()
    membership = version
    arrangement = version
  }

  /// Records that the element at a position has changed.
  @inlinable
  mutating func changeElement(_ position: Int) {
    recent.insert(position, &version)
  }

  /// Records that the array has the same ids in another order.
  @inlinable
  mutating func changeArrangement() {
    version = IdentifiedArrayVersion.next()
    arrangement = version
    recent = RecentChanges()
  }

  /// Records that an element was added at the end.
  @inlinable
  mutating func addElement(at position: Int) {
    changeElement(position)
    arrangement = version
    membership = version
  }

  /// Records that the array has other ids.
  @inlinable
  mutating func changeMembership() {
    changeArrangement()
    membership = version
  }
}

extension IdentifiedArray {
  /// Calls `body` with the id of each element that was changed or appended since a version.
  ///
  /// Returns false without calling `body` if the changes are not known. This is the case after a
  /// removal, a move, or more than four changes.
  @inlinable
  func forEachChange(since version: UInt64, _ body: (ID) -> Void) -> Bool {
    changes.recent.forEach(since: version) { body(identify(elements[$0])) }
  }
}
