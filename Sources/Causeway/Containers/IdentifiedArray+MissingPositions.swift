// Overloads for calls that an `Array` has. Without these overloads, the compiler would suggest a
// function with another meaning.
extension IdentifiedArray {
  /// Not available: rows are removed by their ids.
  @available(
    *, unavailable,
    message: """
      rows are removed by their ids: let ids = offsets.map { rows[$0].id }, then \
      for id in ids { rows.remove(id: id) }
      """
  )
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {}

  /// Not available: a row is removed by its id.
  @available(*, unavailable, message: "a row is removed by its id: rows.remove(id: rows[0].id)")
  @discardableResult
  public mutating func remove(at position: Int) -> Element { self[position] }

  /// Not available: one row is moved at a time.
  @available(
    *, unavailable,
    message: """
      one row is moved at a time: rows.move(from: 0, to: 2), where the second number is the \
      position of the row afterwards
      """
  )
  public mutating func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {}

  /// Not available: rows are moved.
  @available(*, unavailable, message: "rows are moved, one at a time: rows.move(from: 0, to: 1)")
  public mutating func swapAt(_ first: Int, _ second: Int) {}
}
