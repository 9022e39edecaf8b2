/// The public types that none of the users refers to.
///
/// A type is used if a user names it or a member of it, or if it is in the signature of a declaration
/// that is used. So the result of a function that an app calls needs no mention.
struct UnusedTypes {
  /// The unused types as `Module: Type.Nested`, sorted.
  let names: [String]

  /// - Parameters:
  ///   - graphs: The public declarations.
  ///   - references: The USRs of all declarations to which the users refer.
  init(in graphs: [SymbolGraph], references: Set<String>) {
    var symbols: [String: SymbolGraph.Symbol] = [:]
    var modules: [String: String] = [:]
    var types: [String: String] = [:]
    // A module that exports others repeats their declarations, so it has more than each of them.
    for graph in graphs.sorted(by: { $0.symbols.count < $1.symbols.count }) {
      for symbol in graph.symbols where symbols[symbol.usr] == nil {
        symbols[symbol.usr] = symbol
        modules[symbol.usr] = graph.module
        if symbol.isType { types[Self.key(graph.module, symbol.path[...])] = symbol.usr }
      }
    }
    var used: Set<String> = []
    var rest = references.filter { symbols[$0] != nil }
    while let usr = rest.popFirst() {
      guard let symbol = symbols[usr], used.insert(usr).inserted else { continue }
      rest.formUnion(symbol.signature)
      // The types around a declaration.
      for count in symbol.path.indices.dropFirst() {
        if let type = types[Self.key(modules[usr], symbol.path[..<count])] { rest.insert(type) }
      }
    }
    names = symbols.values.filter { $0.isType && !used.contains($0.usr) }
      .map { Self.key(modules[$0.usr], $0.path[...]) }.sorted()
  }

  private static func key(_ module: String?, _ path: ArraySlice<String>) -> String {
    "\(module ?? ""): \(path.joined(separator: "."))"
  }
}
