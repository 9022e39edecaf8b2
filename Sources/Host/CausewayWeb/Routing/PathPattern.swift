/// A path with `:name` components.
///
/// A final `**` matches the rest of a path.
struct PathPattern: Sendable {
  private enum Component: Sendable {
    case literal(String)
    case parameter(String)
  }

  /// The pattern as the route was added.
  let text: String
  private var components: [Component] = []
  private var takesRest = false

  init(_ text: String) {
    self.text = text
    precondition(text.hasPrefix("/"), "The route \"\(text)\" must start with a slash.")
    for part in Self.split(text) {
      precondition(!takesRest, "In the route \"\(text)\", ** must come last.")
      if part == "**" {
        takesRest = true
      } else if part.hasPrefix(":") {
        components.append(.parameter(String(part.dropFirst())))
      } else {
        components.append(.literal(String(part)))
      }
    }
  }

  /// The pattern with the components of a path in place of its parameters.
  func filled(from path: String) -> String {
    let parts = Self.split(path)
    let own = Self.split(text)
    guard parts.count == own.count else { return text }
    return "/" + zip(own, parts).map { $0.hasPrefix(":") ? $1 : $0 }.joined(separator: "/")
  }

  /// The parameters of a path that matches; the part that `**` matches is named `**`.
  ///
  /// Complexity: O(n) in the length of the path.
  func match(_ parts: [String]) -> [String: String]? {
    guard takesRest ? parts.count > components.count : parts.count == components.count else {
      return nil
    }
    var parameters: [String: String] = [:]
    for (component, part) in zip(components, parts) {
      switch component {
      case .literal(let text): if text != part { return nil }
      case .parameter(let name): parameters[name] = part
      }
    }
    if takesRest { parameters["**"] = parts[components.count...].joined(separator: "/") }
    return parameters
  }

  /// Whether a path can match both patterns.
  func overlaps(_ other: PathPattern) -> Bool {
    let count = components.count
    let otherCount = other.components.count
    let isLong =
      switch (takesRest, other.takesRest) {
      case (false, false): count == otherCount
      case (true, false): otherCount > count
      case (false, true): count > otherCount
      case (true, true): true
      }
    guard isLong else { return false }
    return zip(components, other.components).allSatisfy { pair in
      if case (.literal(let own), .literal(let text)) = pair { own == text } else { true }
    }
  }

  /// The largest number of components of a path.
  private static let mostParts = 256

  /// The decoded components of a request's path, or nil when it is not well-formed.
  ///
  /// An escaped slash stays inside its component.
  static func parts(of path: String) -> [String]? {
    guard path.hasPrefix("/"), path.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= mostParts
    else { return nil }
    var parts: [String] = []
    for part in split(path) {
      guard let decoded = PercentEncoding.decode(part) else { return nil }
      parts.append(decoded)
    }
    return parts
  }

  /// `/` has no components; `/a` and `/a/` are different paths.
  private static func split(_ path: String) -> [Substring] {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    return parts == [""] ? [] : parts
  }
}
