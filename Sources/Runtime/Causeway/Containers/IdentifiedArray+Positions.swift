// Operations by position: the operations of `Array`, and the operations that lists of a user
// interface need.
extension IdentifiedArray {
  /// Removes the elements at some positions.
  ///
  /// Positions that are not in the array are ignored: a list may send them after the rows have
  /// changed.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter offsets: The positions, such as the `IndexSet` of SwiftUI's `onDelete`.
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let removed = Set(offsets).filter(indices.contains)
    if removed.isEmpty { return }
    var rest: ContiguousArray<Element> = []
    rest.reserveCapacity(count - removed.count)
    for (position, element) in elements.enumerated() where !removed.contains(position) {
      rest.append(element)
    }
    replaceElements(rest, keepsMembers: false)
  }

  /// Removes the element at a position, and returns it.
  ///
  /// Stops the program if the position is not in the array.
  ///
  /// Complexity: O(*n*) in the number of elements behind it.
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    let element = elements[position]
    remove(id: identify(element))
    return element
  }

  /// Moves the elements at some positions, in their order, before another position.
  ///
  /// Positions that are not in the array are ignored.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - source: The positions, such as the `IndexSet` of SwiftUI's `onMove`.
  ///   - destination: The position, before the move, of the element that will follow the moved
  ///     elements; `count` for the end.
  public mutating func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {
    let moved = Set(source).filter(indices.contains)
    if moved.isEmpty { return }
    let destination = Swift.min(Swift.max(destination, 0), count)
    var ordered: ContiguousArray<Element> = []
    ordered.reserveCapacity(count)
    for position in 0..<destination where !moved.contains(position) {
      ordered.append(elements[position])
    }
    for position in moved.sorted() { ordered.append(elements[position]) }
    for position in destination..<count where !moved.contains(position) {
      ordered.append(elements[position])
    }
    replaceElements(ordered, keepsMembers: true)
  }

  /// Adds elements at the end, except those whose ids exist already.
  ///
  /// Complexity: O(*m*) amortised in the number of added elements.
  public static func += (array: inout Self, added: some Sequence<Element>) {
    for element in added { array.append(element) }
  }

  /// Sorts the elements.
  ///
  /// Complexity: O(*n* log *n*).
  public mutating func sort() where Element: Comparable { sort(by: <) }
}
