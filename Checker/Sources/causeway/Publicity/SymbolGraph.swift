import Foundation

/// The public declarations of a module, as the compiler writes them to a symbol graph.
struct SymbolGraph: Decodable, Sendable {
  /// A public declaration.
  struct Symbol: Decodable, Sendable {
    struct Kind: Decodable, Sendable {
      let identifier: String
    }

    struct Identifier: Decodable, Sendable {
      let precise: String
    }

    struct Fragment: Decodable, Sendable {
      let preciseIdentifier: String?
    }

    /// For example `swift.struct`.
    let kind: Kind
    let identifier: Identifier
    /// The names of the declaration and of the types around it.
    let pathComponents: [String]
    let declarationFragments: [Fragment]?

    var usr: String { identifier.precise }
    /// The USRs of the types in the signature.
    var signature: Set<String> {
      Set((declarationFragments ?? []).compactMap(\.preciseIdentifier))
    }

    var isType: Bool {
      ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"]
        .contains(kind.identifier)
    }
    var isCase: Bool { kind.identifier == "swift.enum.case" }
  }

  struct Module: Decodable, Sendable {
    let name: String
  }

  struct Relationship: Decodable, Sendable {
    let kind: String
    let source: String
    let target: String

    var isRequirement: Bool { ["requirementOf", "optionalRequirementOf"].contains(kind) }
  }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]

  /// The USRs of the types of members and requirements, and of the types around nested ones.
  var owners: [String: String] {
    let members = relationships.filter { $0.kind == "memberOf" || $0.isRequirement }
    return Dictionary(members.map { ($0.source, $0.target) }) { first, _ in first }
  }

  /// The USRs of the requirements of each protocol.
  var requirements: [String: Set<String>] {
    relationships.filter(\.isRequirement).reduce(into: [:]) { found, requirement in
      found[requirement.target, default: []].insert(requirement.source)
    }
  }

  /// The graphs in a folder and its subfolders.
  ///
  /// - Throws: `SourceFileError` if there is no file, or if a file is not a symbol graph.
  static func all(in folder: String) throws(SourceFileError) -> [SymbolGraph] {
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var graphs: [SymbolGraph] = []
    for file in files.sorted() where file.hasSuffix(".symbols.json") {
      let path = "\(folder)/\(file)"
      do {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        graphs.append(try JSONDecoder().decode(SymbolGraph.self, from: data))
      } catch {
        throw SourceFileError(path: path, message: "this is not a symbol graph: \(error)")
      }
    }
    if graphs.isEmpty {
      throw SourceFileError(
        path: folder,
        message: "there is no symbol graph; 'swift package dump-symbol-graph' writes them")
    }
    return graphs
  }
}
