import Foundation

/// Writes the public declarations of each library to a folder.
enum SymbolGraphs: Command {
  static let name = "symbol-graphs"
  static let summary = "writes the public declarations of each library to a folder"
  static let help = """
    USAGE: Scripts/devtools symbol-graphs FOLDER [option of `swift build`]...

    Writes the public declarations of each library to a folder, as symbol graphs (JSON).
    The libraries must be built with the same options first.

    """

  static func lock(_ words: [String]) -> String? { "graphs" }

  static func run(_ words: [String]) throws -> Int32 {
    guard let folder = words.first else {
      throw Failure("symbol-graphs FOLDER [option of `swift build`]...")
    }
    try write(to: folder, options: Array(words.dropFirst()))
    return 0
  }

  /// Builds the libraries, and writes their graphs to the usual folder.
  static func build(_ options: [String]) throws {
    try SwiftPackages.build(options)
    try write(to: SymbolGraph.folder, options: options)
  }

  static func write(to folder: String, options: [String]) throws {
    let products = try SwiftPackages.programs(options)
    let manifest = try Manifest.read()
    let command =
      try ["swift", "symbolgraph-extract", "-target", triple(), "-I", "\(products)/Modules"]
      + libraryOptions(manifest, products) + [
        "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
        "-pretty-print",
      ]
    try Files.clear(folder)
    for target in manifest.targets {
      // Only Swift modules have symbol graphs.
      guard let path = target.path, path.hasPrefix("Sources/"), target.type != .system,
        !Files.exists("\(path)/include")
      else { continue }
      let output = "\(folder)/\(target.name)"
      try Files.clear(output)
      try Shell.output(
        command + ["-module-name", target.name, "-output-dir", output]
          + exported(by: "\(path)/\(target.name).swift"))
    }
  }

  private static func triple() throws -> String {
    struct Info: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    let text = try Shell.output(["swift", "-print-target-info"])
    return try JSONDecoder().decode(Info.self, from: Data(text.utf8)).target.triple
  }

  /// Options for the C libraries: the compiler needs them to read the modules that import them.
  private static func libraryOptions(_ manifest: Manifest, _ products: String) throws -> [String] {
    let systems = manifest.targets.filter { $0.type == .system }
    let maps = systems.compactMap(\.path).flatMap { ["-I", $0] }
    // The build makes the module maps of the package's own C targets.
    let builds = Files.entries(of: products).map { "\($0)/module.modulemap" }
      .filter { $0.contains("/C") && $0.contains(".build/") && Files.exists($0) }
      .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let libraries = try systems.compactMap(\.pkgConfig).flatMap { library in
      let flags = try Shell.run(
        ["pkg-config", "--cflags-only-I", library], output: .readWithErrors)
      guard flags.isSuccess else { return [String]() }
      return flags.output.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
    }
    return maps + builds + libraries
  }

  /// The graph of a module has the declarations of the modules that its one file exports.
  private static func exported(by file: String) throws -> [String] {
    guard Files.exists(file) else { return [] }
    let word = "@_exported public import "
    let modules = try Files.lines(file).filter { $0.hasPrefix(word) }.map {
      $0.dropFirst(word.count)
    }
    let list = modules.joined(separator: ",")
    return list.isEmpty ? [] : ["-experimental-allowed-reexported-modules=\(list)"]
  }
}
