import Foundation
import Testing

@testable import causeway

/// The list of protocols that refine `Sendable` equals the list of the toolchain.
struct SendableProtocolTests {
  #if os(Linux)
    static let modules = [
      "Distributed", "Foundation", "FoundationEssentials", "FoundationNetworking", "Swift",
      "Testing", "_Concurrency",
    ]
  #else
    static let modules = ["Distributed", "Swift", "_Concurrency"]
  #endif

  @Test(arguments: modules)
  func `The list has each protocol of a module that refines Sendable`(module: String) throws {
    let found = try SymbolGraphs(module: module).protocols(
      refining: KnownNames.refiningSendable.union(["Sendable"]))
    #expect(!found.isEmpty)
    #expect(found.subtracting(KnownNames.refiningSendable).subtracting(["Sendable"]) == [])
  }

  @Test func `The compiler agrees that the protocols of the toolchain refine Sendable`() throws {
    // The type of a global actor need not be Sendable, only its instance. `UnsafeSendable` is
    // unavailable.
    let names = KnownNames.toolchainProtocols.subtracting(["GlobalActor", "UnsafeSendable"])
    let functions = names.sorted().enumerated().map { index, name in
      "func f\(index)<T: \(name)>(_: T.Type) { need(T.self) }"
    }
    let code = """
      import Distributed
      import Foundation
      #if canImport(FoundationNetworking)
        import FoundationNetworking
      #endif
      import Testing
      func need<T: SendableMetatype>(_: T.Type) {}
      \(functions.joined(separator: "\n"))
      """
    let found = try Compiler.diagnostics(of: code, settings: BuildSettings())
    #expect(!found.contains { $0.contains("error:") }, "\(found)")
  }
}

/// The symbol graphs of a module of the toolchain.
private struct SymbolGraphs {
  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { let identifier: String }
      struct Identifier: Decodable { let precise: String }
      let kind: Kind
      let identifier: Identifier
      let pathComponents: [String]
    }
    struct Relationship: Decodable {
      let kind: String
      let source: String
      let target: String
      let targetFallback: String?
    }
    let symbols: [Symbol]
    let relationships: [Relationship]
  }

  private var names: [String: String] = [:]
  private var parents: [String: [(id: String, name: String?)]] = [:]

  init(module: String) throws {
    let target = try SymbolGraphs.target()
    let graphs = try TemporaryFolder.with { folder in
      try run(
        "/usr/bin/env",
        [
          "swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-output-dir",
          folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
        ])
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
        try JSONDecoder().decode(Graph.self, from: Data(folder.read(name).utf8))
      }
    }
    for graph in graphs {
      for symbol in graph.symbols where symbol.kind.identifier == "swift.protocol" {
        names[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".")
      }
      for relationship in graph.relationships where relationship.kind == "conformsTo" {
        let name = relationship.targetFallback?.split(separator: ".").last.map(String.init)
        parents[relationship.source, default: []].append((relationship.target, name))
      }
    }
  }

  /// The target of the installed compiler.
  private static func target() throws -> String {
    struct Information: Decodable {
      struct Target: Decodable { let unversionedTriple: String }
      let target: Target
    }
    let output = try run("/usr/bin/env", ["swiftc", "-print-target-info"]).output
    return try JSONDecoder().decode(Information.self, from: Data(output.utf8))
      .target.unversionedTriple
  }

  func protocols(refining wanted: Set<String>) -> Set<String> {
    func refines(_ id: String) -> Bool {
      (parents[id] ?? []).contains { parent in
        wanted.contains(names[parent.id] ?? parent.name ?? "") || refines(parent.id)
      }
    }
    return Set(names.compactMap { id, name in refines(id) ? name : nil })
  }
}
