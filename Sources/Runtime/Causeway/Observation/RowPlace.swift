/// The place of a row of a stored array.
///
/// It searches for the row only after the ids of the array have changed.
@MainActor
@usableFromInline
class RowPlace<Row> {
  /// The elements of the array, at a fixed address.
  @usableFromInline final let elements: UnsafePointer<ContiguousArray<Row>>
  /// The number of the array's arrangement, at a fixed address.
  @usableFromInline final let arrangement: UnsafePointer<UInt64>
  /// The arrangement of the last search.
  ///
  /// Unchecked, like the next property: every access is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline final var searched: UInt64 = 0
  /// The position that the last search has found; -1 if the row does not exist.
  @exclusivity(unchecked) @usableFromInline final var found = -1

  @inlinable
  init(elements: UnsafePointer<ContiguousArray<Row>>, arrangement: UnsafePointer<UInt64>) {
    self.elements = elements
    self.arrangement = arrangement
  }

  /// The position of the row; -1 if it does not exist.
  ///
  /// Complexity: O(1), usually without a hash of the id.
  @inlinable
  @inline(__always)
  final var position: Int {
    arrangement.pointee == searched ? found : searchAgain()
  }

  @inlinable
  @inline(never)
  final func searchAgain() -> Int {
    searched = arrangement.pointee
    found = search()
    return found
  }

  /// The address of the row until the next change of the state; `nil` if the row does not exist.
  ///
  /// The address is used only for a load right away. No change happens in between, so the elements
  /// stay where they are.
  @inlinable
  @inline(__always)
  final var address: UnsafePointer<Row>? {
    let position = position
    return position < 0 ? nil : Self.address(elements, position)
  }

  /// Nonisolated, because the standard library would check the closure's isolation at each call.
  @inlinable
  @inline(__always)
  nonisolated static func address(
    _ elements: UnsafePointer<ContiguousArray<Row>>, _ position: Int
  ) -> UnsafePointer<Row>? {
    elements.pointee.withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else { return nil }
      return first + position
    }
  }

  /// Searches for the row.
  @usableFromInline
  func search() -> Int {
    preconditionFailure("\(Self.self) must override search()")
  }
}
