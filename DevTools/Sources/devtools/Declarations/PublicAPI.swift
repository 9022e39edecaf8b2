import Foundation

/// Compares the public declarations of each library with those of the last release.
enum PublicAPI: Command {
  static let name = "public-api"
  static let summary = "compares the public declarations with those of the last release"
  static let help = """
    USAGE: [AGAINST=COMMIT|marked] Scripts/devtools public-api [option of `swift build`]...

    Compares the public declarations of each library with those of the last release. Fails if one was
    removed or changed, and its name is not in the section "Changed" of the changelog.
    "marked" is the commit in Benchmarks/marked-commit. It is the default before the first release.
    The first comparison with a commit builds it, which takes minutes; .build/api keeps its declarations.
    `swift package diagnose-api-breaking-changes` takes declarations with `package` for public ones: it
    does not report those that are no longer public, and reports those that never were
    (https://github.com/swiftlang/swift/issues/81003, Swift 6.3.1).
    Exit status: 0 if the changelog names each declaration, or if this clone does not have the commit of
                 the default; 1 if a name is missing; 2 if there is no comparison.

    """

  private static let folder = ".build/api"

  static func lock(_ words: [String]) -> String? { "graphs" }

  static func run(_ words: [String]) throws -> Int32 {
    let wanted = variable("AGAINST")
    var base =
      try wanted ?? Git.line(["describe", "--tags", "--abbrev=0", "--match", "[0-9]*"]) ?? "marked"
    guard let commit = try Git.commit(&base) else {
      if wanted != nil { throw Failure("git knows no commit \(base)") }
      print("public-api: nothing was compared, because this clone does not have the commit \(base)")
      return 0
    }
    try SymbolGraphs.build(words)
    let old = try baseline(commit)
    let changes = try Self.changes(from: read(old), to: read(SymbolGraph.folder))
    try Files.write(changes.map { $0 + "\n" }.joined(), to: "\(folder)/changes")
    let removed = changes.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
    let unnamed = try Changelog(Files.text("CHANGELOG.md")).unnamed(removed)
    guard unnamed.isEmpty else {
      for line in unnamed { print("removed or changed: \(line)") }
      print("public-api: name each in the section Changed of CHANGELOG.md, and what replaces it")
      return 1
    }
    print(
      "public-api: since \(commit), \(removed.count) public declarations were removed or changed.",
      "The changelog names them; \(folder)/changes lists them and the new ones.")
    return 0
  }

  /// The folder with the graphs of a commit, which is built if there is none.
  private static func baseline(_ commit: String) throws -> String {
    // Another compiler writes other graphs.
    let compiler = try Shell.output(["swift", "--version"]).firstMatch(of: /Swift version ([^ ]+)/)
    let baseline = "\(folder)/\(commit)-\(compiler?.1 ?? "")"
    if Files.exists(baseline) { return baseline }
    print("public-api: building \(commit)")
    let tree = "\(folder)/tree"
    try Files.clear(tree)
    try Git.extract(commit, to: tree)
    // The commit's own script knows its folders. Warnings are not errors, because a later compiler
    // can have new warnings for a release. Whole modules need less processor time
    // (Scripts/strict-options).
    let build = """
      swift build -debug-info-format none --disable-index-store -Xswiftc -whole-module-optimization \
        -Xswiftc -num-threads -Xswiftc 2 &&
      if [ -e Scripts/symbol-graphs ]; then Scripts/symbol-graphs .build/graphs
      else Scripts/devtools symbol-graphs .build/graphs; fi
      """
    let result = try Shell.run(["sh", "-c", build], output: .readWithErrors, in: tree)
    try Files.write(result.output, to: "\(folder)/log")
    guard result.isSuccess else { throw Failure("\(commit) cannot be built; see \(folder)/log") }
    try FileManager.default.moveItem(atPath: "\(tree)/.build/graphs", toPath: baseline)
    try FileManager.default.removeItem(atPath: tree)
    return baseline
  }

  /// The declarations of each module in a folder of graphs.
  private static func read(_ graphs: String) throws -> [String: Set<String>] {
    let modules = try Files.entries(of: graphs).map {
      (($0 as NSString).lastPathComponent, PublicDeclarations(try SymbolGraph.read($0)).lines)
    }
    return Dictionary(uniqueKeysWithValues: modules)
  }

  /// The removed lines of all modules after "-", and the new ones after "+".
  static func changes(from old: [String: Set<String>], to new: [String: Set<String>]) -> [String] {
    Set(old.keys).union(new.keys).sorted().flatMap { module in
      let before = old[module] ?? []
      let after = new[module] ?? []
      return before.symmetricDifference(after).sorted().map {
        (before.contains($0) ? "-" : "+") + $0
      }
    }
  }
}
