/// Two states as the lines of a tree, with their differences.
struct StateTree {
  /// One line of the tree.
  struct Line: Encodable, Equatable, Sendable {
    /// The path of the value, which is unique in the tree.
    var id: String
    var name: String
    var before: String
    /// The value after the step, if it differs.
    var after: String?
    /// The classes for the style sheet.
    var look: String
    /// Whether the parts are shown; `nil` without parts.
    var isOpen: Bool?
  }

  private static let mostLines = 400

  private let toggled: Set<String>
  private var lines: [Line] = []

  /// Returns the lines: the changed parts are open, and the other parts are closed.
  ///
  /// - Parameter toggled: The paths of the values that are open although they did not change, or
  ///   closed although they did.
  static func lines(_ before: ValueNode, _ after: ValueNode, toggled: Set<String>) -> [Line] {
    var tree = StateTree(toggled: toggled)
    for (index, (old, new)) in pairs(before, after).enumerated() {
      tree.add(old, new, name(old ?? new, index), "", 0)
    }
    return tree.lines
  }

  private init(toggled: Set<String>) {
    self.toggled = toggled
  }

  private mutating func add(
    _ old: ValueNode?, _ new: ValueNode?, _ name: String, _ parent: String, _ depth: Int
  ) {
    guard lines.count < Self.mostLines, let shown = new ?? old else { return }
    let id = "\(parent)/\(name)"
    let isChanged = old != new
    let isSame = old.map { $0.shape == new?.shape } ?? false
    let hasParts = !(old?.children.isEmpty ?? true) || !(new?.children.isEmpty ?? true)
    // The parts of different values are not compared.
    let canOpen = hasParts && (isSame || old == nil || new == nil)
    let isOpen = canOpen && ((isChanged && isSame) != toggled.contains(id))
    let mark = old == nil ? "added" : new == nil ? "removed" : isChanged ? "changed" : "same"
    var line = Line(
      id: id, name: name, before: summary(old ?? shown, isOpen: isOpen), look: "")
    if isChanged, old != nil, !isOpen { line.after = new.map { summary($0, isOpen: false) } ?? "–" }
    // The number of elements of an open list is not in its parts.
    if isChanged, isOpen, let old, let new {
      let summaries = (summary(old, isOpen: true), summary(new, isOpen: true))
      if summaries.0 != summaries.1 { line.after = summaries.1 }
    }
    line.look = "line depth-\(min(depth, 9)) \(mark)"
    if canOpen { line.isOpen = isOpen }
    lines.append(line)
    guard isOpen else { return }
    for (index, (left, right)) in Self.pairs(old, new).enumerated() {
      add(left, right, Self.name(right ?? left, index), id, depth + 1)
    }
    if shown.omitted > 0, lines.count < Self.mostLines {
      lines.append(
        Line(
          id: "\(id)/…", name: "…", before: "\(shown.omitted) more",
          look: "line depth-\(min(depth + 1, 9)) same"))
    }
  }

  /// The value of an open node is in its parts.
  private func summary(_ node: ValueNode, isOpen: Bool) -> String {
    guard isOpen else { return node.expression.shortened(to: 240) }
    return switch node.shape {
    case .structure(let type): type
    case .enumCase(let name): ".\(name)"
    case .list, .set: "\(node.children.count + node.omitted) elements"
    case .dictionary: "\(node.children.count + node.omitted) entries"
    default: ""
    }
  }

  private static func name(_ node: ValueNode?, _ index: Int) -> String {
    node?.label ?? "[\(index)]"
  }

  /// The parts of two values, by their labels or their positions.
  private static func pairs(_ old: ValueNode?, _ new: ValueNode?) -> [(ValueNode?, ValueNode?)] {
    let (left, right) = (old?.children ?? [], new?.children ?? [])
    guard left.first?.label != nil || right.first?.label != nil else {
      return (0..<max(left.count, right.count)).map { index in
        (left.count > index ? left[index] : nil, right.count > index ? right[index] : nil)
      }
    }
    let others = Dictionary(right.map { ($0.label, $0) }) { first, _ in first }
    let names = Set(left.map(\.label))
    return left.map { ($0, others[$0.label]) }
      + right.filter { !names.contains($0.label) }.map { (nil, $0) }
  }
}

extension StateTree.Line {
  /// A change of a recording, which has no states.
  init(_ change: RecordedEvent.Change) {
    let name = change.path.isEmpty ? "state" : change.path
    self.init(
      id: name, name: name, before: (change.before ?? "–").shortened(to: 240),
      after: (change.after ?? "–").shortened(to: 240), look: "line depth-0 changed")
  }
}
