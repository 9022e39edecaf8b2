/// The place of a row that is searched by its id.
@usableFromInline
final class IdentifiedRowPlace<ID: Hashable & Sendable, Row: Sendable>: RowPlace<Row> {
  @usableFromInline let rows: UnsafePointer<IdentifiedArray<ID, Row>>
  @usableFromInline let id: ID

  /// Returns `nil` if the array does not store its elements in place.
  @inlinable
  init?(_ rows: UnsafePointer<IdentifiedArray<ID, Row>>, _ id: ID) {
    guard let elements = rows.pointer(to: \.elements),
      let arrangement = rows.pointer(to: \.changes.arrangement)
    else { return nil }
    self.rows = rows
    self.id = id
    super.init(elements: elements, arrangement: arrangement)
  }

  @inlinable
  override func search() -> Int {
    rows.pointee.index(id: id) ?? -1
  }
}
