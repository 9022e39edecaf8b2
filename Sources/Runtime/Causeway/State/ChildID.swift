/// The id of a row or of an identifiable child, with its hash.
///
/// Hashing an `AnyHashable` costs several times as much as hashing the id in it. All ids of one
/// composition have the same type.
@usableFromInline
struct ChildID: Hashable {
  let value: AnyHashable
  private let hash: Int

  @usableFromInline
  init(_ value: AnyHashable, hash: Int) {
    self.value = value
    self.hash = hash
  }

  @inlinable
  init(_ id: some Hashable) {
    self.init(AnyHashable(id), hash: id.hashValue)
  }

  @usableFromInline
  static func == (left: ChildID, right: ChildID) -> Bool {
    left.hash == right.hash && left.value == right.value
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
