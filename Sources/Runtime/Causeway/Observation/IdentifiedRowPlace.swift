/// The place of a row that is found by its id.
@usableFromInline
final class IdentifiedRowPlace<ID: Hashable & Sendable, Row: Sendable>: RowPlace<Row> {
  @usableFromInline let rows: UnsafePointer<IdentifiedArray<ID, Row>>
  @usableFromInline let id: ID
  /// The life of a screen; `nil` for other rows.
  ///
  /// It has ended if a screen with the same id has replaced the screen.
  ///
  /// Weak, because cells keep the place.
  @usableFromInline weak var life: PartLife?

  /// Returns `nil` if the array does not store its elements in place.
  @inlinable
  init?(_ rows: UnsafePointer<IdentifiedArray<ID, Row>>, _ id: ID, _ life: PartLife?) {
    guard let elements = rows.pointer(to: \.elements),
      let arrangement = rows.pointer(to: \.changes.arrangement)
    else { return nil }
    self.rows = rows
    self.id = id
    self.life = life
    super.init(elements: elements, arrangement: arrangement)
  }

  @inlinable
  override func search() -> Int {
    life?.isOver == true ? -1 : rows.pointee.index(id: id) ?? -1
  }
}
