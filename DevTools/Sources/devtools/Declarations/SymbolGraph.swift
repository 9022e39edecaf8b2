import Foundation

/// The public declarations of a module, as the compiler writes them.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let names: Names
    let accessLevel: String
    let docComment: Comment?
    let location: Location?
    let declarationFragments: [Fragment]?
    let swiftExtension: Context?
    let swiftGenerics: Context?
  }

  struct Kind: Decodable { let identifier: String }
  struct Identifier: Decodable { let precise: String }
  struct Names: Decodable { let title: String }
  struct Comment: Decodable {}
  struct Fragment: Decodable { let spelling: String }
  struct Context: Decodable { let constraints: [Constraint]? }

  struct Location: Decodable {
    struct Position: Decodable { let line: Int }
    let uri: String
    let position: Position
  }

  struct Constraint: Decodable, Hashable {
    let kind: String
    let lhs: String
    let rhs: String

    var text: String { lhs + (kind == "sameType" ? " == " : " : ") + rhs }
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]

  /// The folder with a folder of graphs for each module.
  static let folder = ".build/graphs"

  /// Reads the graphs in the folder of a module: one graph of its own declarations, and the graphs
  /// of its extensions of other modules.
  static func read(_ folder: String) throws -> [SymbolGraph] {
    try Files.entries(of: folder).filter { $0.hasSuffix(".json") }.map {
      try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(filePath: $0)))
    }
  }
}
