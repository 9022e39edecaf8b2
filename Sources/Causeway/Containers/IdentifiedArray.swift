/// An ordered collection of elements with ids.
///
/// A lookup by id takes constant time.
///
/// Inserting, removing and moving an element takes three to five times as long as in an `Array`,
/// because not only the elements behind it move, but also their entries in a table of positions. The
/// first of 1,000 small elements is removed in about a microsecond, of 10,000 in ten, and of 100,000
/// in 150. The time for an element near the end depends only on the number of elements behind it.
///
/// A value type with copy-on-write storage. A mutation by id happens in place and copies nothing if
/// the storage is not shared.
public struct IdentifiedArray<ID: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline var elements: ContiguousArray<Element>
  /// Empty until the array has had more than ``searchLimit`` elements.
  @usableFromInline var positions = PositionTable()
  @usableFromInline let identify: @Sendable (Element) -> ID
  /// Two arrays with the same number contain the same ids.
  @usableFromInline var membership: UInt64
  /// Two arrays with the same number contain the same ids in the same order.
  @usableFromInline var arrangement: UInt64
  /// Two arrays with the same number contain the same elements in the same order.
  @usableFromInline var version: UInt64
  @usableFromInline var recent = RecentChanges()

  /// The number of elements up to which searching their ids is faster than hashing.
  @inlinable static var searchLimit: Int { 8 }

  /// Makes an empty array.
  ///
  /// - Parameter identify: Returns an element's id. The id must not change while the array contains
  ///   the element.
  @inlinable
  public init(id identify: @escaping @Sendable (Element) -> ID) {
    self.identify = identify
    elements = []
    version = IdentifiedArrayVersion.next()
    membership = version
    arrangement = version
  }

  /// Makes an array of elements whose ids are unique.
  ///
  /// Stops the program if two elements have the same id. Use ``init(_:id:uniquingWith:)`` for
  /// elements from outside.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - identify: Returns an element's id. The id must not change while the array contains the
  ///     element.
  @inlinable
  public init(
    uniqueElements elements: some Sequence<Element>,
    id identify: @escaping @Sendable (Element) -> ID
  ) {
    self.init(elements, id: identify) { first, second in
      Self.stopDuplicateElements(first, second, identify(first))
    }
  }

  /// `precondition` prints no message in a release build.
  @usableFromInline
  @inline(never)
  static func stopDuplicateElements(_ first: Element, _ second: Element, _ id: ID) -> Never {
    fatalError(
      """
      Two elements have the id \(id): \(first) and \(second). Make the ids unique, or combine \
      the elements with init(_:id:uniquingWith:).
      """)
  }

  /// Makes an array.
  ///
  /// Combines elements with the same id at the position of the first.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - identify: Returns an element's id. The id must not change while the array contains the
  ///     element.
  ///   - combine: Returns the combination of two elements with the same id. It must have that id.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    id identify: @escaping @Sendable (Element) -> ID,
    uniquingWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init(id: identify)
    let count = elements.underestimatedCount
    self.elements.reserveCapacity(count)
    if count > Self.searchLimit { positions.reserve(count) }
    for element in elements {
      let id = identify(element)
      let hash = positions.isEmpty ? 0 : PositionTable.hash(id)
      if let position = self.position(of: id, hash) {
        let combined = try combine(self.elements[position], element)
        Self.requireSame(identify(combined), id)
        self.elements[position] = combined
      } else {
        appendNew(element, hash)
      }
    }
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
  mutating func addElement() {
    changeElement(elements.count &- 1)
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

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both arrays have equal elements in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.elements == right.elements
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomStringConvertible {
  /// The elements in order.
  public var description: String {
    Array(elements).description
  }
}
