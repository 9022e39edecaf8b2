import CausewayWeb
import Foundation

/// Compares the paths of a page file with a view state, or with an example of one.
struct PathCheck {
  /// The number of rows that are read for each list.
  private static let rowLimit = 50

  let check: BindingCheck
  let state: JSONValue
  /// Whether the state is an example with all members that the view state can have.
  let isComplete: Bool
  private let lists = Lists()

  /// The rows of the lists that were read.
  ///
  /// Many paths lead into the same list, and lists are in other lists.
  private final class Lists {
    var rows: [Int: [JSONValue]] = [:]
  }

  init(check: BindingCheck, state: JSONValue, isComplete: Bool = false) {
    (self.check, self.state, self.isComplete) = (check, state, isComplete)
  }

  /// Compares a use with the state.
  ///
  /// - Returns: Whether the state has values to compare with, and the problem.
  func result(of use: BindingCheck.Use) -> (isKnown: Bool, problem: BindingProblem?) {
    let alternatives = use.path.alternatives
    let context = use.role == .key ? use.element : check.list(of: use.element)
    let needsRow = alternatives.contains(where: \.isInRow)
    let rows: [JSONValue?] = needsRow ? context.map { self.rows(of: $0) } ?? [] : [nil]
    var isKnown = !rows.isEmpty
    for row in rows {
      switch find(use.path, row) {
      case .unknown: isKnown = false
      case .found(let value):
        if let text = mismatch(value, use) { return (true, problem(use, text)) }
      case .missing(let alternative, let names):
        let mayBeMissing = use.path.isOptional || use.role == .with || use.role == .optional
        if mayBeMissing, !isComplete { continue }
        let owner = alternative.isInRow ? "a row of the list" : "the view state"
        let near = near(alternative, names)
        return (true, problem(use, "\(owner) has no \"\(shown(alternative, use))\"\(near)"))
      }
    }
    if use.role == .key, let key = repeatedKey(of: use) {
      return (true, problem(use, "two rows of the list have the key \"\(key)\"."))
    }
    return (isKnown, nil)
  }

  private enum Found {
    case found(JSONValue)
    case missing(BindingPath.Alternative, names: [String])
    case unknown
  }

  /// The first alternative with a value.
  ///
  /// In a complete example, each alternative must have one.
  private func find(_ path: BindingPath, _ row: JSONValue?) -> Found {
    var result = Found.unknown
    for alternative in path.alternatives {
      let steps = alternative.isInRow ? alternative.steps.dropFirst() : alternative.steps[...]
      switch ((alternative.isInRow ? row : state) ?? .null).member(at: steps) {
      case .unknown: return .unknown
      case .found(let value):
        if !isComplete { return .found(value) }
        if case .unknown = result { result = .found(value) }
      case .missing(let names):
        result = .missing(alternative, names: names)
        if isComplete { return result }
      }
    }
    return result
  }

  /// A key that two rows of one array have.
  private func repeatedKey(of use: BindingCheck.Use) -> String? {
    guard check.markup.elements[use.element]["data-each"] != nil,
      let path = check.listPaths[use.element], let key = use.path.alternatives.first, !isComplete
    else { return nil }
    for case .array(let rows) in path.alternatives.flatMap({ values(of: $0, at: use.element) }) {
      var seen: Set<String> = []
      for case .found(let value) in rows.map({ $0.member(at: key.steps.dropFirst()) })
      where !seen.insert("\(value)").inserted {
        return "\(value)".trimmingCharacters(in: ["\""])
      }
    }
    return nil
  }

  private func shown(_ alternative: BindingPath.Alternative, _ use: BindingCheck.Use) -> String {
    use.role == .key ? alternative.steps.dropFirst().joined(separator: ".") : alternative.text
  }

  private func near(_ alternative: BindingPath.Alternative, _ names: [String]) -> String {
    for step in alternative.steps.reversed() {
      if let near = NearestName.nearest(to: step, in: names) {
        return "; did you mean \"\(near)\"?"
      }
    }
    return isComplete ? "." : "; if it is optional, write \"\(alternative.text)?\"."
  }

  private func mismatch(_ value: JSONValue, _ use: BindingCheck.Use) -> String? {
    guard use.role == .list else { return nil }
    switch value {
    case .array, .null: return nil
    case .string: return "the value is a text, and data-each needs an array."
    case .object: return "the value is an object, and data-each needs an array; use data-with."
    case .bool, .integer, .number: return "the value is no array."
    }
  }

  private func problem(_ use: BindingCheck.Use, _ text: String) -> BindingProblem {
    BindingProblem(
      line: use.line, place: check.template.place(line: use.line), subject: use.subject, text: text)
  }

  /// The values at a path, one for each row around the element that has it.
  func values(of alternative: BindingPath.Alternative, at element: Int) -> [JSONValue] {
    let steps = alternative.isInRow ? alternative.steps.dropFirst() : alternative.steps[...]
    let sources = alternative.isInRow ? check.list(of: element).map { rows(of: $0) } ?? [] : [state]
    return sources.compactMap { source in
      if case .found(let value) = source.member(at: steps) { value } else { nil }
    }
  }

  /// The rows of a list; empty if there are none.
  private func rows(of list: Int) -> [JSONValue] {
    if let known = lists.rows[list] { return known }
    let rows = readRows(of: list)
    lists.rows[list] = rows
    return rows
  }

  private func readRows(of list: Int) -> [JSONValue] {
    guard let path = check.listPaths[list] else { return [] }
    let isEach = check.markup.elements[list]["data-each"] != nil
    var rows: [JSONValue] = []
    for alternative in path.alternatives {
      for value in values(of: alternative, at: list) {
        if !isEach {
          if value != .string("") { rows.append(value) }
        } else if case .array(let elements) = value {
          rows += elements.prefix(Self.rowLimit)
        }
      }
    }
    return Array(rows.prefix(Self.rowLimit))
  }
}
