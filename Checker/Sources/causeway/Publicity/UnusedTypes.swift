/// The public types that none of the users refers to.
///
/// A type is used if a user names it or a member of it, or if it is in the signature of a
/// declaration that is used. So a user does not have to name the result type of a function that it
/// calls. The language itself uses some nested types, such as an iterator or a string
/// interpolation. So a nested type is used if the type around it is used and has a member with the
/// nested type in its signature. A requirement is as public as its protocol, and a case as its
/// enum: the types in their signatures are used with that protocol or enum.
struct UnusedTypes {
  /// The unused types as `Module: Type.Nested`, sorted.
  let names: [String]

  /// - Parameters:
  ///   - graphs: The public declarations.
  ///   - references: The USRs of all declarations to which the users refer.
  init(in graphs: [SymbolGraph], references: Set<String>) {
    var symbols: [String: SymbolGraph.Symbol] = [:]
    var modules: [String: String] = [:]
    var owners: [String: String] = [:]
    var requirements: [String: Set<String>] = [:]
    // A module that exports other modules repeats their declarations, so it has more declarations
    // than each of them.
    for graph in graphs.sorted(by: { $0.symbols.count < $1.symbols.count }) {
      owners.merge(graph.owners) { first, _ in first }
      requirements.merge(graph.requirements) { $0.union($1) }
      for symbol in graph.symbols where symbols[symbol.usr] == nil {
        symbols[symbol.usr] = symbol
        modules[symbol.usr] = graph.module.name
      }
    }
    var nested: [String: Set<String>] = [:]
    for (member, owner) in owners {
      let types = symbols[member]?.signature.filter { owners[$0] == owner && $0 != member } ?? []
      nested[owner, default: []].formUnion(types)
      if symbols[member]?.isCase == true { requirements[owner, default: []].insert(member) }
    }
    var used: Set<String> = []
    var rest = references.filter { symbols[$0] != nil }
    while let usr = rest.popFirst() {
      guard used.insert(usr).inserted else { continue }
      rest.formUnion(symbols[usr]?.signature ?? [])
      rest.formUnion(nested[usr] ?? [])
      rest.formUnion(requirements[usr] ?? [])
      if let owner = owners[usr] { rest.insert(owner) }
    }
    names = symbols.values.filter { $0.isType && !used.contains($0.usr) }
      .map { "\(modules[$0.usr] ?? ""): \($0.pathComponents.joined(separator: "."))" }.sorted()
  }
}
