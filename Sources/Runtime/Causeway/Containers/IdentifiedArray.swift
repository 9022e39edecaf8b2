/// An ordered collection of elements with ids.
///
/// A lookup by id takes constant time.
///
/// Inserting, removing and moving an element takes three to five times as long as in an `Array`,
/// because the array also changes the positions of the elements behind it in a table. The removal
/// of the first element takes about one microsecond in an array of 1,000 small elements, ten
/// microseconds with 10,000 elements, and 150 microseconds with 100,000 elements. The time for an
/// element near the end depends only on the number of elements behind it.
///
/// A value type with copy-on-write storage. A mutation by id happens in place and copies nothing if
/// the storage is not shared.
public struct IdentifiedArray<ID: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline private(set) var elements: ContiguousArray<Element>
  /// Empty until the array has had more than ``searchLimit`` elements.
  @usableFromInline private(set) var positions = PositionTable()
  @usableFromInline let identify: @Sendable (Element) -> ID
  @usableFromInline private(set) var changes = ArrayChanges()

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
}

extension IdentifiedArray {
  /// The element with an id, or `nil`.
  ///
  /// Setting a value replaces the element in place, or appends it if the id is new. Setting `nil`
  /// removes the element. The id of the new value must equal the id in the brackets. An element is
  /// mutated in place, without a copy of its contents: `rows[id: 1]?.tags[0] = "new"`.
  ///
  /// Complexity: O(1); removing is O(*n*).
  @inlinable
  public subscript(id id: ID) -> Element? {
    get {
      position(of: id).map { elements[$0] }
    }
    // The compiler inlines this if possible, because a call of a coroutine allocates its frame. It
    // does not inline the coroutine of an optional chain.
    @inline(__always)
    _modify {
      let position = self.position(of: id)
      var element = takeOut(position)
      defer { putBack(element, id: id, at: position) }
      yield &element
    }
  }

  /// Takes an element out of the array for the duration of a change.
  ///
  /// If the element stayed in the array, the change would copy its parts. The array stays valid
  /// during the change: a copy of a neighbour is in the element's place, or the array is empty.
  @inlinable
  mutating func takeOut(_ position: Int?) -> Element? {
    guard let position else { return nil }
    return takeOut(position)
  }

  @inlinable
  mutating func takeOut(_ position: Int) -> Element {
    if elements.count == 1 { return elements.removeLast() }
    var element = elements[position == 0 ? 1 : 0]
    swap(&element, &elements[position])
    return element
  }

  /// Ends a change of an element that ``takeOut(_:)`` has taken out.
  @inlinable
  mutating func putBack(_ element: consuming Element?, id: ID, at position: Int?) {
    guard let position else {
      if let element { set(element, id: id) }
      return
    }
    guard let element else { return removeGap(id: id, at: position) }
    Self.requireSame(identify(element), id)
    if elements.isEmpty { elements.append(element) } else { elements[position] = element }
    changes.changeElement(position)
  }

  @usableFromInline
  mutating func set(_ element: Element, id: ID) {
    Self.requireSame(identify(element), id)
    updateOrAppend(element)
  }

  /// Removes the place of an element that was set to `nil`.
  @usableFromInline
  mutating func removeGap(id: ID, at position: Int) {
    if !elements.isEmpty { elements.remove(at: position) }
    removePosition(position, id)
    changes.changeMembership()
  }

  /// Mutates the element with an id in place.
  ///
  /// Returns `nil` without calling `body` if the element does not exist.
  ///
  /// Complexity: O(1); the storage is copied only if it is shared.
  @inlinable
  public mutating func modify<Result>(
    id: ID, _ body: (inout Element) throws -> Result
  ) rethrows -> Result? {
    guard let position = self.position(of: id) else { return nil }
    changes.changeElement(position)
    // An instance method or a `defer` would copy all parts of the array at each call.
    let identify = self.identify
    do {
      let result = try body(&elements[position])
      Self.requireSame(identify(elements[position]), id)
      return result
    } catch {
      // Without this check, the table of positions would be wrong after a change of the id.
      Self.requireSame(identify(elements[position]), id)
      throw error
    }
  }

  @inlinable
  static func requireSame(_ new: ID, _ old: ID) {
    if new != old { stopChangedID(new, old) }
  }

  /// `precondition` prints no message in a release build.
  @usableFromInline
  @inline(never)
  static func stopChangedID(_ new: ID, _ old: ID) -> Never {
    fatalError(
      "The id of an element changed from \(old) to \(new). Remove it and add the other one.")
  }

  /// Appends an element unless its id exists already.
  ///
  /// Returns whether the element was added. If the element may replace one with the same id, use
  /// ``updateOrAppend(_:)``.
  ///
  /// Complexity: O(1) amortised.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    let id = identify(element)
    let hash = positions.isEmpty ? 0 : PositionTable.hash(id)
    guard position(of: id, hash) == nil else { return false }
    appendNew(element, hash)
    changes.addElement(at: elements.count &- 1)
    return true
  }

  /// Inserts an element unless its id exists already.
  ///
  /// Returns whether the element was inserted.
  ///
  /// Complexity: O(*n*) in the number of elements behind it.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    if position == elements.count { return append(element) }
    let id = identify(element)
    guard self.position(of: id) == nil else { return false }
    elements.insert(element, at: position)
    shiftPositions(position..<elements.count - 1, by: 1)
    if !positions.isEmpty {
      positions.insert(position, PositionTable.hash(id), count: elements.count - 1)
    }
    indexIfNeeded()
    changes.changeMembership()
    return true
  }

  /// Replaces the element with the same id in place, or appends the element.
  ///
  /// Complexity: O(1) amortised. Returns the replaced element.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let position = self.position(of: identify(element)) else {
      _ = append(element)
      return nil
    }
    var element = element
    swap(&element, &elements[position])
    changes.changeElement(position)
    return element
  }

  /// Removes the element with an id, and returns it.
  ///
  /// Complexity: O(*n*).
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = self.position(of: id) else { return nil }
    let element = elements.remove(at: position)
    removePosition(position, id)
    changes.changeMembership()
    return element
  }

  /// Removes all elements.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter keepsCapacity: Whether the array keeps its memory for new elements.
  public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
    elements.removeAll(keepingCapacity: keepsCapacity)
    renumber()
    changes.changeMembership()
  }

  /// Removes every element that satisfies a condition.
  ///
  /// Complexity: O(*n*).
  public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
    replaceElements(try elements.filter { try !condition($0) }, keepsMembers: false)
  }

  /// Sorts the elements.
  ///
  /// Complexity: O(*n* log *n*).
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    replaceElements(
      try ContiguousArray(elements.sorted(by: areInIncreasingOrder)), keepsMembers: true)
  }

  /// Replaces all elements by some of them, or by the same elements in another order.
  mutating func replaceElements(_ new: ContiguousArray<Element>, keepsMembers: Bool) {
    elements = new
    renumber()
    if keepsMembers { changes.changeArrangement() } else { changes.changeMembership() }
  }

  /// Exchanges two elements.
  ///
  /// Stops the program if a position is not in the array.
  ///
  /// Complexity: O(1).
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    if first == second { return }
    if !positions.isEmpty {
      let hashes = (
        PositionTable.hash(identify(elements[first])),
        PositionTable.hash(identify(elements[second]))
      )
      positions.remove(first, hashes.1)
      positions.remove(second, hashes.0)
      positions.insert(first, hashes.0, count: count - 2)
      positions.insert(second, hashes.1, count: count - 1)
    }
    changes.changeArrangement()
  }

  /// Moves the element at one position to another.
  ///
  /// Complexity: O(*n*).
  public mutating func move(from source: Int, to destination: Int) {
    let element = elements.remove(at: source)
    elements.insert(element, at: destination)
    if !positions.isEmpty {
      let hash = PositionTable.hash(identify(element))
      positions.remove(source, hash)
      if source < destination {
        positions.shift(source + 1..<destination + 1, by: -1)
      } else {
        positions.shift(destination..<source, by: 1)
      }
      positions.insert(destination, hash, count: elements.count - 1)
    }
    changes.changeArrangement()
  }
}

// The table of positions.
extension IdentifiedArray {
  /// Appends an element whose id is not in the array.
  @inlinable
  mutating func appendNew(_ element: Element, _ hash: UInt32) {
    if !positions.isEmpty { positions.insert(elements.count, hash, count: elements.count) }
    elements.append(element)
    indexIfNeeded()
  }

  /// Makes the table when the array has become too long to search.
  @inlinable
  mutating func indexIfNeeded() {
    if positions.isEmpty, elements.count > Self.searchLimit { renumber() }
  }

  /// Makes the table for the current order of the elements.
  @usableFromInline
  mutating func renumber() {
    if positions.isEmpty, elements.count <= Self.searchLimit { return }
    positions.removeAll(keepingRoomFor: elements.count)
    if positions.isEmpty, elements.count <= Self.searchLimit { return }
    positions.reserve(elements.count)
    for (position, element) in elements.enumerated() {
      positions.insert(position, PositionTable.hash(identify(element)), count: position)
    }
  }

  /// Removes the position of a removed element, and renumbers the elements behind it.
  private mutating func removePosition(_ position: Int, _ id: ID) {
    if positions.isEmpty { return }
    positions.remove(position, PositionTable.hash(id))
    positions.shrink(to: elements.count)
    shiftPositions(position + 1..<elements.count + 1, by: -1)
  }

  /// Adds a number to the stored positions of elements that have already moved.
  private mutating func shiftPositions(_ range: Range<Int>, by offset: Int) {
    if positions.isEmpty || range.isEmpty { return }
    // Hashing an id costs as much as passing over several entries.
    if 16 * range.count >= positions.entries.count { return positions.shift(range, by: offset) }
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    let order =
      offset < 0
      ? stride(from: first, through: last, by: 1) : stride(from: last, through: first, by: -1)
    for position in order {
      let hash = PositionTable.hash(identify(elements[position + offset]))
      positions.move(position, to: position + offset, hash)
    }
  }
}

extension IdentifiedArray: RandomAccessCollection {
  /// The first position.
  @inlinable public var startIndex: Int { 0 }
  /// The position after the last element.
  @inlinable public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// The new element must have the same id, or an id that is not in the array.
  ///
  /// Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      elements[position]
    }
    // Inlined, because a call of a coroutine allocates its frame.
    @inline(__always)
    _modify {
      let old = identify(elements[position])
      var element = takeOut(position)
      defer { putBack(element, replacing: old, at: position) }
      yield &element
    }
  }

  /// Ends a change of an element that ``takeOut(_:)`` has taken out.
  ///
  /// The element may have another id now.
  @inlinable
  mutating func putBack(_ element: consuming Element, replacing old: ID, at position: Int) {
    let new = identify(element)
    let isReplaced = new != old
    // While the element is taken out, its position may contain a copy of another element.
    if isReplaced, !elements.isEmpty, self.position(of: new) != nil { Self.stopDuplicate(new) }
    if elements.isEmpty { elements.append(element) } else { elements[position] = element }
    if !isReplaced { return changes.changeElement(position) }
    if !positions.isEmpty {
      positions.remove(position, PositionTable.hash(old))
      positions.insert(position, PositionTable.hash(new), count: elements.count - 1)
    }
    changes.changeMembership()
  }

  /// `precondition` prints no message in a release build.
  @usableFromInline
  @inline(never)
  static func stopDuplicate(_ id: ID) -> Never {
    fatalError("An element with the id \(id) is in the array already, at another position.")
  }
}
