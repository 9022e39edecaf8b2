/// The public declarations of a module, one a line, as "TYPE: DECLARATION".
///
/// TYPE is the declared type itself, or the type of a member or a conformance.
struct PublicDeclarations {
  let lines: Set<String>

  init(_ graphs: [SymbolGraph]) {
    let symbols = graphs.flatMap(\.symbols)
    let relationships = graphs.flatMap(\.relationships)
    let required = Set(relationships.lazy.filter { $0.kind == "requirementOf" }.map(\.source))
    let paths = Dictionary(
      symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { $1 })
    let constraints = Dictionary(
      symbols.map {
        ($0.pathComponents.joined(separator: "."), Set($0.swiftGenerics?.constraints ?? []))
      }, uniquingKeysWith: { $0.union($1) })
    let declarations = symbols.map { symbol in
      let text = Self.text(of: symbol, ofType: constraints[symbol.parent] ?? [])
      let word = required.contains(symbol.identifier.precise) ? "requirement " : ""
      return "\(symbol.type): \(word)\(text)"
    }
    // The compiler adds these conformances to almost every type.
    let implied = ["SendableMetatype", "Copyable", "Escapable"]
    let conformances = relationships.filter { $0.kind == "conformsTo" }.compactMap { relation in
      let fallback = relation.targetFallback?.split(separator: ".", maxSplits: 1).last
      let name = paths[relation.target] ?? fallback.map(String.init) ?? ""
      return implied.contains(name)
        ? nil : paths[relation.source].map { "\($0): conforms to \(name)" }
    }
    lines = Set(declarations).union(conformances)
  }

  private static func text(
    of symbol: SymbolGraph.Symbol, ofType constraints: Set<SymbolGraph.Constraint>
  ) -> String {
    let words = (symbol.declarationFragments ?? []).map(\.spelling).joined()
      .split(whereSeparator: \.isWhitespace)
    var text = (symbol.accessLevel == "open" ? "open " : "") + words.joined(separator: " ")
    // A member of an extension repeats the constraints of its type.
    for limit in symbol.swiftExtension?.constraints ?? []
    where !constraints.contains(limit) && !text.contains(limit.text) {
      text += (text.contains(" where ") ? ", " : " where ") + limit.text
    }
    return text
  }
}

extension SymbolGraph.Symbol {
  fileprivate var parent: String { pathComponents.dropLast().joined(separator: ".") }

  fileprivate var type: String {
    let kinds = ["class", "struct", "enum", "protocol", "actor"]
    let isType = kinds.contains { kind.identifier.hasSuffix(".\($0)") }
    return isType || pathComponents.count == 1 ? pathComponents.joined(separator: ".") : parent
  }
}
