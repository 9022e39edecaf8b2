import Foundation

/// The public declarations of a module, as the compiler writes them to a symbol graph.
struct SymbolGraph: Decodable, Sendable {
  /// A public declaration.
  struct Symbol: Decodable, Sendable {
    private struct Kind: Decodable {
      var identifier: String
    }

    private struct Identifier: Decodable {
      var precise: String
    }

    private struct Fragment: Decodable {
      var preciseIdentifier: String?
    }

    private enum CodingKeys: CodingKey {
      case kind, identifier, pathComponents, declarationFragments
    }

    let usr: String
    /// The kind, for example `swift.struct`.
    let kind: String
    /// The names of the declaration and of the types around it.
    let path: [String]
    /// The USRs of the types in the signature.
    let signature: Set<String>

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      usr = try values.decode(Identifier.self, forKey: .identifier).precise
      kind = try values.decode(Kind.self, forKey: .kind).identifier
      path = try values.decode([String].self, forKey: .pathComponents)
      let fragments = try values.decodeIfPresent([Fragment].self, forKey: .declarationFragments)
      signature = Set((fragments ?? []).compactMap(\.preciseIdentifier))
    }

    var isType: Bool {
      ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"].contains(kind)
    }
  }

  private struct Module: Decodable {
    var name: String
  }

  private struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
  }

  private enum CodingKeys: CodingKey {
    case module, symbols, relationships
  }

  let module: String
  let symbols: [Symbol]
  /// The USRs of the types of members, and of the types around nested ones.
  let owners: [String: String]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    module = try values.decode(Module.self, forKey: .module).name
    symbols = try values.decode([Symbol].self, forKey: .symbols)
    let relationships = try values.decode([Relationship].self, forKey: .relationships)
    let members = relationships.filter { $0.kind == "memberOf" }.map { ($0.source, $0.target) }
    owners = Dictionary(members) { first, _ in first }
  }

  /// The graphs in a folder and its subfolders.
  ///
  /// - Throws: `SourceFileError` if there is none, or if a file is no symbol graph.
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
