/// Reads values by their mirrors, without the parts that the rules hide.
///
/// It bounds the size of a tree: a state can contain a million rows. If a text has a limit, the rest
/// of the value is not read.
struct ValueReader {
  private static let deepest = 24
  private static let mostElements = 200

  let rules: RedactionRules
  /// The number of nodes that may still be made.
  private var budget: Int
  /// The largest number of bytes of a text that the caller keeps.
  private let longest: Int
  /// The bytes of texts that may still be read for the present value.
  private var room: Int

  init(_ rules: RedactionRules, budget: Int = 4_000, longest: Int = .max) {
    self.rules = rules
    self.budget = budget
    (self.longest, room) = (longest, longest)
  }

  /// Reads a state.
  mutating func state(_ value: Any) -> ValueNode {
    read(value, label: nil, path: [], depth: 0)
  }

  /// Reads a part of a state; the path has the names of the fields that lead to the part.
  mutating func part(_ value: Any, at path: [String]?) -> ValueNode {
    room = longest
    return read(value, label: nil, path: path, depth: 0)
  }

  /// Reads an action.
  mutating func action(_ value: Any) -> ValueNode {
    read(value, label: nil, path: nil, depth: 0)
  }

  /// The kept text of a value.
  func text(of node: ValueNode) -> String { node.expression.shortened(to: longest) }

  /// Whether the rules hide a field.
  func isHidden(_ path: [String]?, _ value: Any) -> Bool {
    hides(path) || TypeFacts.of(value).isSecret
  }

  private func hides(_ path: [String]?) -> Bool {
    path.map(rules.hiddenPaths.contains) ?? false
  }

  /// - Parameter path: The names of the fields on the way from the state; `nil` in an action.
  private mutating func read(
    _ value: Any, label: String?, path: [String]?, depth: Int
  ) -> ValueNode {
    budget -= 1
    let facts = TypeFacts.of(value)
    if facts.isSecret || hides(path) {
      return ValueNode(label: label, shape: ValueNode.hidden(value))
    }
    if let leaf = LeafText.shape(of: value, facts.leaf, rules.texts) {
      if case .text(let text) = leaf { room -= text.utf8.count }
      return ValueNode(label: label, shape: leaf)
    }
    let mirror = Mirror(reflecting: value)
    if depth >= Self.deepest || isFull, !mirror.children.isEmpty {
      return ValueNode(label: label, shape: .cut(""))
    }
    switch mirror.displayStyle {
    case .optional:
      guard let some = mirror.children.first else { return ValueNode(label: label, shape: .none) }
      return read(some.value, label: label, path: path, depth: depth + 1)
    case .collection: return elements(mirror, .list, label, path, depth)
    case .set: return elements(mirror, .set, label, path, depth)
    case .dictionary: return entries(mirror, label, path, depth)
    case .tuple:
      return fields(mirror, .tuple, label, path, depth)
    case .enum: return enumCase(value, mirror, label, path, depth)
    case .class, .foreignReference:
      return ValueNode(label: label, shape: .object(facts.name))
    default:
      return fields(mirror, .structure(facts.name), label, path, depth)
    }
  }

  /// Whether the rest of the value is left out.
  var isFull: Bool { isSpent || room <= 0 }

  /// Whether no further nodes are made.
  var isSpent: Bool { budget <= 0 }

  private mutating func fields(
    _ mirror: Mirror, _ shape: ValueNode.Shape, _ label: String?, _ path: [String]?, _ depth: Int
  ) -> ValueNode {
    var node = ValueNode(label: label, shape: shape)
    for child in mirror.children {
      // If a tuple has no labels, its mirror names the fields .0, .1 and so on.
      let name = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      node.children.append(field(child.value, name, path, depth))
    }
    return node
  }

  private mutating func field(
    _ value: Any, _ name: String?, _ path: [String]?, _ depth: Int
  ) -> ValueNode {
    if let name, hides(name, value) {
      return ValueNode(label: name, shape: ValueNode.hidden(value))
    }
    return read(
      value, label: name, path: name.flatMap { path?.appending($0) } ?? path, depth: depth + 1)
  }

  /// Whether the value of a field with this name is a secret.
  ///
  /// A Boolean is not a secret: `hasPassword` may be shown.
  func hides(_ name: String, _ value: Any) -> Bool {
    rules.hides(name) && !(value is Bool)
  }

  private mutating func elements(
    _ mirror: Mirror, _ shape: ValueNode.Shape, _ label: String?, _ path: [String]?, _ depth: Int
  ) -> ValueNode {
    var node = ValueNode(label: label, shape: shape)
    for child in mirror.children.prefix(Self.mostElements) {
      if isFull { break }
      node.children.append(read(child.value, label: nil, path: path, depth: depth + 1))
    }
    node.omitted = mirror.children.count - node.children.count
    // The order of a set differs from run to run.
    if shape == .set { node.children.sort { $0.expression < $1.expression } }
    return node
  }

  private mutating func entries(
    _ mirror: Mirror, _ label: String?, _ path: [String]?, _ depth: Int
  ) -> ValueNode {
    var node = ValueNode(label: label, shape: .dictionary)
    for child in mirror.children.prefix(Self.mostElements) {
      if isFull { break }
      let pair = Array(Mirror(reflecting: child.value).children)
      guard pair.count == 2 else { continue }
      let key = read(pair[0].value, label: nil, path: path, depth: depth + 1).expression
      let value =
        hides(key, pair[1].value)
        ? ValueNode(shape: ValueNode.hidden(pair[1].value))
        : read(pair[1].value, label: nil, path: path, depth: depth + 1)
      node.children.append(
        ValueNode(
          label: key, shape: value.shape, children: value.children, omitted: value.omitted))
    }
    node.omitted = mirror.children.count - node.children.count
    node.children.sort { ($0.label ?? "") < ($1.label ?? "") }
    return node
  }

  private mutating func enumCase(
    _ value: Any, _ mirror: Mirror, _ label: String?, _ path: [String]?, _ depth: Int
  ) -> ValueNode {
    guard let payload = mirror.children.first, let name = payload.label else {
      return ValueNode(label: label, shape: TypeName.enumCase(value))
    }
    var node = ValueNode(label: label, shape: .enumCase(name))
    if hides(name, payload.value) {
      node.children = [ValueNode(shape: ValueNode.hidden(payload.value))]
      return node
    }
    let parts = Mirror(reflecting: payload.value)
    if parts.displayStyle == .tuple {
      node.children = fields(parts, .tuple, nil, path, depth).children
    } else {
      node.children = [read(payload.value, label: nil, path: path, depth: depth + 1)]
    }
    return node
  }
}

extension Array {
  fileprivate func appending(_ element: Element) -> Array { self + [element] }
}
