/// Lists the public declarations that have no comment.
enum Documented: Command {
  static let name = "documented"
  static let summary = "lists the public declarations without a comment"
  static let help = """
    USAGE: Scripts/devtools documented

    Lists the public declarations in .build/graphs, the output of `symbol-graphs`, that have no comment.
    Unlike the formatter, this also checks enum cases, requirements and members of extensions.
    Exit status: 0 if all have one.

    """

  static func lock(_ words: [String]) -> String? { "graphs" }

  static func run(_ words: [String]) throws -> Int32 {
    let folders = Files.entries(of: SymbolGraph.folder)
    guard !folders.isEmpty else { throw Failure("there are no graphs in \(SymbolGraph.folder)") }
    let missing = try folders.flatMap { try SymbolGraph.read($0).flatMap(undocumented) }
    for line in missing { print(line) }
    return missing.isEmpty ? 0 : 1
  }

  /// The places and names of the declarations of a graph that have no comment.
  static func undocumented(in graph: SymbolGraph) -> [String] {
    graph.symbols.compactMap { symbol in
      guard symbol.docComment == nil, let location = symbol.location else { return nil }
      let file = location.uri.replacing("file://", with: "")
      return "\(file):\(location.position.line + 1): \(symbol.names.title)"
    }
  }
}
