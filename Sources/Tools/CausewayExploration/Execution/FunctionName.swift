/// The names of functions, for reports.
enum FunctionName {
  /// Returns a demangled name without modules, parameters and results.
  ///
  /// `closure #1 () async -> () in Shop.Cart.add(Swift.Int) async -> ()` becomes
  /// `closure #1 in Cart.add`.
  static func short(_ name: String) -> String {
    // A private name has the hash of its file.
    var rest = name.replacing(/\(([^() ]+) in _[0-9A-F]+\)/) { $0.output.1 }
      .replacing(" nonisolated(nonsending)", with: "").replacing(" @Sendable", with: "")[...]
    var parts: [Substring] = []
    while let range = rest.firstRange(of: " in ") {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return (parts + [rest]).map(withoutSignature).joined(separator: " in ")
  }

  private static func withoutSignature(_ part: Substring) -> String {
    var name = part
    // Names in backticks can contain any characters.
    if !part.contains("`"), let end = part.firstIndex(where: { $0 == "(" || $0 == "<" }) {
      name = part[..<end]
    }
    while name.last == " " { name.removeLast() }
    let places = name.split(separator: ".", maxSplits: 1)
    let isModule =
      places.count == 2 && places[0].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return String(isModule ? places[1] : name)
  }
}
