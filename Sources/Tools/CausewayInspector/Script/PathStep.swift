/// One step of a path in a state, such as `.rows`, `[2]`, `?` or `(.shown)`.
enum PathStep: Equatable {
  /// A field, an index or the value of an optional, as Swift writes it.
  case access(String)
  /// The payload of a case.
  case payload(String)

  /// Splits a path of a change; `nil` if it is not well-formed.
  ///
  /// The path can come from an untrusted file, and its steps become Swift code. So only names,
  /// whole numbers and the characters of the form are allowed.
  static func steps(of path: String) -> [PathStep]? {
    var steps: [PathStep] = []
    var rest = path[...]
    while let first = rest.first {
      switch first {
      case "?":
        rest.removeFirst()
        steps.append(.access("?"))
      case "[":
        guard let end = rest.firstIndex(of: "]") else { return nil }
        let index = rest[rest.index(after: rest.startIndex)..<end]
        guard Int(index) != nil else { return nil }
        steps.append(.access("[\(index)]"))
        rest = rest[rest.index(after: end)...]
      case "(":
        guard rest.hasPrefix("(."), let end = rest.firstIndex(of: ")") else { return nil }
        let name = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        guard isName(name) else { return nil }
        steps.append(.payload(String(name)))
        rest = rest[rest.index(after: end)...]
      default:
        if first == "." { rest.removeFirst() }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard isName(name) else { return nil }
        steps.append(.access(".\(name)"))
        rest = rest[name.endIndex...]
      }
    }
    return steps
  }

  static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
