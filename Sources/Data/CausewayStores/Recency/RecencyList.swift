/// Elements by key, in the order of their last use; each operation takes constant time.
///
/// The list stores its nodes in plain memory. If the nodes were objects, each use would cost ten
/// retains and releases. That is a third of the time that a cache hit may take.
@usableFromInline
struct RecencyList<Key: Hashable, Element>: ~Copyable {
  @usableFromInline
  struct Node {
    @usableFromInline var newer: UnsafeMutablePointer<Node>?
    @usableFromInline var older: UnsafeMutablePointer<Node>?
    @usableFromInline var element: Element
    let key: Key
    var bytes: Int
  }

  @usableFromInline typealias Place = UnsafeMutablePointer<Node>

  @usableFromInline var nodes: [Key: Place] = [:]
  @usableFromInline var newest: Place?
  @usableFromInline var oldest: Place?
  /// The total of the given element sizes and of the list's overhead, in bytes.
  private(set) var bytes = 0

  /// The estimated overhead of the list for each element, in bytes.
  ///
  /// This counts a node with its allocation, and a place in a dictionary that is half full.
  static var overhead: Int {
    MemoryLayout<Node>.stride + 16 + 2 * (MemoryLayout<Key>.stride + 8)
  }

  init() {}

  @inlinable
  deinit {
    for node in nodes.values {
      node.deinitialize(count: 1)
      node.deallocate()
    }
  }

  @inlinable var count: Int { nodes.count }

  /// The keys, from the most recently used to the least recently used.
  ///
  /// - Complexity: O(count).
  var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(nodes.count)
    var node = newest
    while let current = node {
      keys.append(current.pointee.key)
      node = current.pointee.older
    }
    return keys
  }

  /// The node of a key, valid until the list changes; does not change the order.
  @inlinable
  func find(_ key: Key) -> Place? {
    nodes[key]
  }

  /// Makes a node the most recent one.
  @inlinable
  mutating func use(_ node: Place) {
    guard node != newest else { return }
    unlink(node)
    link(node)
  }

  /// Returns the element of a key and makes it the most recent one.
  mutating func use(_ key: Key) -> Element? {
    guard let node = nodes[key] else { return nil }
    use(node)
    return node.pointee.element
  }

  /// Returns the element of a key; does not change the order.
  func peek(_ key: Key) -> Element? {
    nodes[key]?.pointee.element
  }

  /// Stores the element of a key as the most recent one; returns the element that it replaces.
  ///
  /// - Parameter size: The memory that the element needs, in bytes.
  mutating func store(_ element: Element, for key: Key, bytes size: Int) -> Element? {
    let size = size + Self.overhead
    bytes += size
    if let node = nodes[key] {
      bytes -= node.pointee.bytes
      let replaced = node.pointee.element
      node.pointee.element = element
      node.pointee.bytes = size
      use(node)
      return replaced
    }
    let node = Place.allocate(capacity: 1)
    node.initialize(to: Node(element: element, key: key, bytes: size))
    nodes[key] = node
    link(node)
    return nil
  }

  /// Removes the element of a key and returns it.
  mutating func remove(_ key: Key) -> Element? {
    guard let node = nodes.removeValue(forKey: key) else { return nil }
    unlink(node)
    let removed = node.move()
    node.deallocate()
    bytes -= removed.bytes
    return removed.element
  }

  /// The least recently used element.
  var oldestElement: Element? { oldest?.pointee.element }

  /// Removes the least recently used element and returns it.
  mutating func removeOldest() -> (key: Key, element: Element)? {
    guard let key = oldest?.pointee.key else { return nil }
    return remove(key).map { (key, $0) }
  }

  @inlinable
  mutating func link(_ node: Place) {
    node.pointee.newer = nil
    node.pointee.older = newest
    newest?.pointee.newer = node
    newest = node
    if oldest == nil { oldest = node }
  }

  @inlinable
  mutating func unlink(_ node: Place) {
    let newer = node.pointee.newer
    let older = node.pointee.older
    if let newer { newer.pointee.older = older } else { newest = older }
    if let older { older.pointee.newer = newer } else { oldest = newer }
  }
}
