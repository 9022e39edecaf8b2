/// Elements by key, in the order of their last use; each operation takes constant time.
///
/// The nodes are objects with plain links: following them needs no copy of a key or an element,
/// which would be slow in code that is not specialised for their types. A copy would share them.
struct RecencyList<Key: Hashable, Element>: ~Copyable {
  private final class Node {
    // The dictionary owns the nodes. A node leaves the links before it leaves the dictionary.
    unowned(unsafe) var newer: Node?
    unowned(unsafe) var older: Node?
    var bytes: Int
    let key: Key
    var element: Element

    init(_ key: Key, _ element: Element, bytes: Int) {
      self.key = key
      self.element = element
      self.bytes = bytes
    }
  }

  private var nodes: [Key: Node] = [:]
  private unowned(unsafe) var newest: Node?
  private unowned(unsafe) var oldest: Node?
  /// What the elements were said to need, and what the list itself needs for them.
  private(set) var bytes = 0

  /// What the list needs for each element besides the element's own size, estimated.
  ///
  /// An object with two links, a size, the key and the element, and a place in a dictionary that
  /// is half full.
  static var overhead: Int {
    16 + 24 + MemoryLayout<Key>.stride + MemoryLayout<Element>.stride + 16
      + 2 * (MemoryLayout<Key>.stride + 8)
  }

  var count: Int { nodes.count }

  /// The keys, from the one that was used last to the one that was not used for longest.
  ///
  /// - Complexity: O(count).
  var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(nodes.count)
    var node = newest
    while let current = node {
      keys.append(current.key)
      node = current.older
    }
    return keys
  }

  /// The element of a key, which becomes the most recent one, if it meets a condition.
  mutating func use(_ key: Key, where condition: (Element) -> Bool = { _ in true }) -> Element? {
    guard let node = nodes[key], condition(node.element) else { return nil }
    if node !== newest {
      unlink(node)
      link(node)
    }
    return node.element
  }

  /// The element of a key; the order stays as it is.
  func peek(_ key: Key) -> Element? {
    nodes[key]?.element
  }

  /// Changes the element of a key, if there is one; the order stays as it is.
  mutating func update(_ key: Key, _ change: (inout Element) -> Void) {
    if let node = nodes[key] { change(&node.element) }
  }

  /// Stores the element of a key as the most recent one; returns the element that it replaces.
  ///
  /// - Parameter size: What the element needs, in bytes.
  mutating func store(_ element: Element, for key: Key, bytes size: Int) -> Element? {
    let size = size + Self.overhead
    bytes += size
    if let node = nodes[key] {
      bytes -= node.bytes
      let replaced = node.element
      node.element = element
      node.bytes = size
      if node !== newest {
        unlink(node)
        link(node)
      }
      return replaced
    }
    let node = Node(key, element, bytes: size)
    nodes[key] = node
    link(node)
    return nil
  }

  /// Takes out the element of a key.
  mutating func remove(_ key: Key) -> Element? {
    guard let node = nodes[key] else { return nil }
    unlink(node)
    bytes -= node.bytes
    nodes[key] = nil
    return node.element
  }

  /// The element that was not used for longest.
  var oldestElement: Element? { oldest?.element }

  /// Takes out the element that was not used for longest.
  mutating func removeOldest() -> (key: Key, element: Element)? {
    guard let node = oldest else { return nil }
    let key = node.key
    return remove(key).map { (key, $0) }
  }

  private mutating func link(_ node: Node) {
    node.newer = nil
    node.older = newest
    newest?.newer = node
    newest = node
    if oldest == nil { oldest = node }
  }

  private mutating func unlink(_ node: Node) {
    if let newer = node.newer { newer.older = node.older } else { newest = node.older }
    if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
  }
}
