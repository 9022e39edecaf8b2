/// Elements by key, in the order of their last use; each operation takes constant time.
///
/// The nodes are plain memory that the list owns. As objects they would cost a use ten retains and
/// releases, a third of what a hit of the cache may take.
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
  /// What the elements were said to need, and what the list itself needs for them.
  private(set) var bytes = 0

  /// What the list needs for each element besides what the element refers to, estimated: a node,
  /// with what its allocation needs, and a place in a dictionary that is half full.
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

  /// The keys, from the one that was used last to the one that was not used for longest.
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

  /// Where the node of a key is, until the list is changed; the order stays as it is.
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

  /// The element of a key, which becomes the most recent one.
  mutating func use(_ key: Key) -> Element? {
    guard let node = nodes[key] else { return nil }
    use(node)
    return node.pointee.element
  }

  /// The element of a key; does not change the order.
  func peek(_ key: Key) -> Element? {
    nodes[key]?.pointee.element
  }

  /// Stores the element of a key as the most recent one; returns the element that it replaces.
  ///
  /// - Parameter size: What the element needs, in bytes.
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

  /// Takes out the element of a key.
  mutating func remove(_ key: Key) -> Element? {
    guard let node = nodes.removeValue(forKey: key) else { return nil }
    unlink(node)
    let removed = node.move()
    node.deallocate()
    bytes -= removed.bytes
    return removed.element
  }

  /// The element that was not used for longest.
  var oldestElement: Element? { oldest?.pointee.element }

  /// Takes out the element that was not used for longest.
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
