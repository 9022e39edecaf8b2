import Foundation

/// The manifest of a package, as SwiftPM writes it.
struct Manifest: Decodable {
  struct Product: Decodable {
    /// A library has its linkage here, and an executable has nothing.
    private struct Kind: Decodable { let library: [String]? }

    let name: String
    private let type: Kind

    var isLibrary: Bool { type.library != nil }
  }

  struct Target: Decodable {
    enum Kind: String, Decodable {
      case regular, executable, system, plugin, test, macro, binary
    }

    let name: String
    let type: Kind
    let path: String?
    /// The name of a system library for pkg-config, which is the name that people know.
    let pkgConfig: String?
    let dependencies: [Dependency]
  }

  /// A target or a product that a target uses.
  struct Dependency: Decodable {
    let name: String

    init(from decoder: any Decoder) throws {
      let forms = try decoder.singleValueContainer().decode([String: [Part]].self)
      name = forms.values.first?.first?.text ?? ""
    }

    /// A name, or the conditions of the dependency, which are not needed.
    private struct Part: Decodable {
      let text: String?
      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }

  let products: [Product]
  let targets: [Target]

  /// Reads the manifest of the package in a folder.
  static func read(_ folder: String = ".") throws -> Manifest {
    let text = try Shell.output(["swift", "package", "--package-path", folder, "dump-package"])
    return try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
  }

  /// The libraries for apps; a name with an underscore belongs to our own packages.
  var libraries: [String] {
    products.filter { $0.isLibrary && !$0.name.hasPrefix("_") }.map(\.name)
  }

  func target(_ name: String) -> Target? { targets.first { $0.name == name } }

  /// The targets that a target uses, in their order, without products of other packages.
  func uses(_ target: Target) -> [Target] {
    target.dependencies.compactMap { self.target($0.name) }
  }

  /// A target and all targets that it uses directly or indirectly, in the order of the manifest.
  func closure(of name: String) -> [Target] {
    var found: Set<String> = []
    func follow(_ target: Target) {
      if found.insert(target.name).inserted { uses(target).forEach(follow) }
    }
    target(name).map(follow)
    return targets.filter { found.contains($0.name) }
  }
}
