extension IdentifiedArray {
  /// The ids, in order.
  ///
  /// Complexity: O(*n*).
  public var ids: [ID] {
    elements.map(identify)
  }

  /// Whether there is an element with an id.
  ///
  /// Complexity: O(1).
  @inlinable
  public func contains(id: ID) -> Bool {
    position(of: id) != nil
  }

  /// The position of an element.
  ///
  /// Complexity: O(1).
  @inlinable
  public func index(id: ID) -> Int? {
    position(of: id)
  }

  /// Calls `body` with the address of an element, which `body` must not change.
  ///
  /// Returns `nil` without calling `body` if the element does not exist.
  @inlinable
  func look<Result>(
    id: ID, _ body: (UnsafeMutablePointer<Element>) -> Result
  ) -> Result? {
    guard let position = self.position(of: id) else { return nil }
    return elements.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { body(UnsafeMutablePointer(mutating: $0 + position)) }
    }
  }

  /// The position of an element; `nil` for an id that is not in the array.
  @inlinable
  func position(of id: ID) -> Int? {
    position(of: id, positions.isEmpty ? 0 : PositionTable.hash(id))
  }

  /// - Parameter hash: The hash of the id. It is not used while there is no table.
  @inlinable
  func position(of id: ID, _ hash: UInt32) -> Int? {
    if positions.isEmpty { return elements.firstIndex { identify($0) == id } }
    return positions.position(hash) { identify(elements[$0]) == id }
  }
}
