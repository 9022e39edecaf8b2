extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Makes an empty array.
  @inlinable
  public init() {
    self.init(id: { $0.id })
  }

  /// Makes an array of elements whose ids are unique.
  ///
  /// Stops the program if two elements have the same id.
  ///
  /// Complexity: O(*n*).
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements, id: { $0.id })
  }

  /// Makes an array.
  ///
  /// Combines elements with the same id at the position of the first.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - combine: Returns the combination of two elements with the same id. It must have that id.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingWith combine: (Element, Element) throws -> Element
  ) rethrows {
    try self.init(elements, id: { $0.id }, uniquingWith: combine)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Makes an array of the elements of a literal, whose ids must be unique.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
