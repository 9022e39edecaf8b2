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
  public func contains(id: ID) -> Bool {
    positions[id] != nil
  }

  /// The position of an element.
  ///
  /// Complexity: O(1).
  public func index(id: ID) -> Int? {
    positions[id]
  }

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
      positions[id].map { elements[$0] }
    }
    _modify {
      guard let position = positions[id] else {
        var element: Element?
        yield &element
        if let element { set(element, id: id) }
        return
      }
      // The element leaves the array while it is changed, or changing it would copy its parts. Only
      // initialised elements stay behind, so the array is valid whatever the caller does meanwhile.
      if elements.count == 1 {
        var element: Element? = elements.removeLast()
        defer { putBackOnly(element, id: id) }
        yield &element
      } else {
        var element: Element? = exchange(elements[position == 0 ? 1 : 0], at: position)
        defer { putBack(element, id: id, at: position) }
        yield &element
      }
    }
  }

  /// Puts an element in the place of another one, which it returns with no copy left behind.
  @inlinable
  mutating func exchange(_ new: Element, at position: Int) -> Element {
    var element = new
    swap(&element, &elements[position])
    return element
  }

  @usableFromInline
  mutating func set(_ element: Element, id: ID) {
    Self.requireSame(identify(element), id)
    updateOrAppend(element)
  }

  /// Ends a mutation that has put a copy of a neighbour in an element's place.
  @inlinable
  mutating func putBack(_ element: consuming Element?, id: ID, at position: Int) {
    guard let element else {
      remove(id: id)
      return
    }
    Self.requireSame(identify(element), id)
    elements[position] = element
    version = IdentifiedArrayVersion.next()
  }

  /// Ends a mutation of the only element.
  @usableFromInline
  mutating func putBackOnly(_ element: Element?, id: ID) {
    if let element {
      Self.requireSame(identify(element), id)
      elements.append(element)
      version = IdentifiedArrayVersion.next()
    } else {
      positions[id] = nil
      changeMembership()
    }
  }

  /// Mutates the element with an id in place.
  ///
  /// Returns `nil` without a call if it does not exist.
  ///
  /// Complexity: O(1); the storage is copied only if it is shared.
  @inlinable
  public mutating func modify<Result>(
    id: ID, _ body: (inout Element) throws -> Result
  ) rethrows -> Result? {
    guard let position = positions[id] else { return nil }
    version = IdentifiedArrayVersion.next()
    // Static, without `defer`: either alternative would copy all parts of the array at each call.
    let identify = self.identify
    do {
      let result = try body(&elements[position])
      Self.requireSame(identify(elements[position]), id)
      return result
    } catch {
      // A changed id would remain in the index unnoticed.
      Self.requireSame(identify(elements[position]), id)
      throw error
    }
  }

  /// Calls `body` with the address of an element, which `body` must not change.
  ///
  /// Returns `nil` without a call if the element does not exist.
  func look(id: ID, _ body: (UnsafeMutablePointer<Element>) -> UInt64?) -> UInt64? {
    guard let position = positions[id] else { return nil }
    return elements.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { body(UnsafeMutablePointer(mutating: $0 + position)) }
    }
  }

  @inlinable
  static func requireSame(_ new: ID, _ old: ID) {
    if new != old { stopChangedID(new, old) }
  }

  /// Not `precondition`, which prints no message in a release build.
  @usableFromInline
  @inline(never)
  static func stopChangedID(_ new: ID, _ old: ID) -> Never {
    fatalError(
      "The id of an element changed from \(old) to \(new). Remove it and add the other one.")
  }

  /// Appends an element unless its id exists already.
  ///
  /// Returns whether the element was added.
  ///
  /// Complexity: O(1) amortised.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    insert(element, at: elements.count)
  }

  /// Inserts an element unless its id exists already.
  ///
  /// Returns whether the element was inserted.
  ///
  /// Complexity: O(*n*) in the number of elements behind it.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    let id = identify(element)
    guard positions[id] == nil else { return false }
    elements.insert(element, at: position)
    renumber(from: position)
    changeMembership()
    return true
  }

  /// Replaces the element with the same id in place, or appends the element.
  ///
  /// Complexity: O(1) amortised. Returns the replaced element.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let position = positions[identify(element)] else {
      append(element)
      return nil
    }
    let old = elements[position]
    elements[position] = element
    version = IdentifiedArrayVersion.next()
    return old
  }

  /// Removes the element with an id, and returns it.
  ///
  /// Complexity: O(*n*).
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    let element = elements.remove(at: position)
    renumber(from: position)
    changeMembership()
    return element
  }

  /// Removes every element that satisfies a condition.
  ///
  /// Complexity: O(*n*).
  public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
    elements = try elements.filter { try !condition($0) }
    positions.removeAll(keepingCapacity: true)
    renumber(from: 0)
    changeMembership()
  }

  /// Sorts the elements.
  ///
  /// Complexity: O(*n* log *n*).
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    elements = try ContiguousArray(elements.sorted(by: areInIncreasingOrder))
    renumber(from: 0)
    changeArrangement()
  }

  /// Moves the element at one position to another.
  ///
  /// Complexity: O(*n*).
  public mutating func move(from source: Int, to destination: Int) {
    elements.insert(elements.remove(at: source), at: destination)
    renumber(from: Swift.min(source, destination))
    changeArrangement()
  }

  private mutating func renumber(from first: Int) {
    for position in first..<elements.count {
      positions[identify(elements[position])] = position
    }
  }
}

extension IdentifiedArray: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last element.
  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// The new element must have the same id, or an id that is not in the array.
  ///
  /// Complexity: O(1).
  public subscript(position: Int) -> Element {
    get {
      elements[position]
    }
    set {
      let old = identify(elements[position])
      let new = identify(newValue)
      if new != old {
        if positions[new] != nil { Self.stopDuplicate(new) }
        positions[old] = nil
        positions[new] = position
        changeMembership()
      }
      elements[position] = newValue
      version = IdentifiedArrayVersion.next()
    }
  }

  /// Not `precondition`, which prints no message in a release build.
  private static func stopDuplicate(_ id: ID) -> Never {
    fatalError("An element with the id \(id) is in the array already, at another position.")
  }
}
