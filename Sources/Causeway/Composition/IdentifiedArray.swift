import Synchronization

/// An ordered collection of elements that have ids, each found by its id in constant time.
///
/// A value with copy-on-write storage. An element is mutated in place by its id, which copies
/// nothing when the storage is not shared.
public struct IdentifiedArray<ID: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline var elements: ContiguousArray<Element>
  @usableFromInline var positions: [ID: Int]
  @usableFromInline let identify: @Sendable (Element) -> ID
  /// Differs between any two arrays that may contain different ids.
  @usableFromInline private(set) var membership: UInt64
  /// Differs between any two arrays that may contain different ids, or the same in another order.
  @usableFromInline private(set) var arrangement: UInt64
  /// Differs between any two arrays that may differ in anything.
  @usableFromInline var version: UInt64

  /// Makes an empty array.
  ///
  /// - Parameter identify: Returns an element's id, which must not change while it is in here.
  public init(id identify: @escaping @Sendable (Element) -> ID) {
    self.init(uniqueElements: [], id: identify)
  }

  /// Makes an array of elements whose ids are known to be unique.
  ///
  /// Stops the program at two elements with the same id. For elements from outside use
  /// ``init(_:id:uniquingWith:)``.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - identify: Returns an element's id, which must not change while it is in here.
  public init(
    uniqueElements elements: some Sequence<Element>,
    id identify: @escaping @Sendable (Element) -> ID
  ) {
    self.init(elements, id: identify) { first, second in
      // Not `preconditionFailure`, which prints nothing in a release build.
      fatalError(
        """
        Two elements have the id \(identify(first)): \(first) and \(second). Make the ids unique, \
        or say with init(_:id:uniquingWith:) which one to keep.
        """)
    }
  }

  /// Makes an array, combining elements with the same id at the place of the first.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - identify: Returns an element's id, which must not change while it is in here.
  ///   - combine: Returns what to keep of two elements with the same id; it must have that id.
  public init(
    _ elements: some Sequence<Element>,
    id identify: @escaping @Sendable (Element) -> ID,
    uniquingWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.identify = identify
    self.elements = []
    self.positions = [:]
    let version = IdentifiedArrayVersion.next()
    self.version = version
    self.membership = version
    self.arrangement = version
    let count = elements.underestimatedCount
    self.elements.reserveCapacity(count)
    self.positions.reserveCapacity(count)
    for element in elements {
      let id = identify(element)
      if let position = positions[id] {
        let combined = try combine(self.elements[position], element)
        Self.requireSame(identify(combined), id)
        self.elements[position] = combined
      } else {
        positions[id] = self.elements.count
        self.elements.append(element)
      }
    }
  }

  /// Marks the array as one with the same ids in another order.
  mutating func changeArrangement() {
    version = IdentifiedArrayVersion.next()
    arrangement = version
  }

  /// Marks the array as one with other ids.
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

  /// Makes an array of elements whose ids are known to be unique.
  ///
  /// Stops the program at two elements with the same id.
  ///
  /// Complexity: O(*n*).
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements, id: { $0.id })
  }

  /// Makes an array, combining elements with the same id at the place of the first.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements, in order.
  ///   - combine: Returns the element to keep of two with the same id; it must have that id.
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

/// Hands out the numbers that tell versions of arrays apart.
@usableFromInline
enum IdentifiedArrayVersion {
  private static let last = Atomic<UInt64>(0)

  @usableFromInline
  static func next() -> UInt64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether both have equal elements in the same order.
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
