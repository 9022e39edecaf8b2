import Foundation

/// Prints the figures that show the size of the project.
enum House: Command {
  static let name = "house"
  static let summary = "prints code lines, modules and public types"
  static let help = """
    USAGE: Scripts/devtools house [COMMIT]    the figures of a commit; of the files here by default

    Prints the figures that show how much there is to know: the code lines of each room of Sources, the
    modules, the public types, and what examples import that is no product.
    A code line has more than white space and a comment. Public types have the word `public`; nested
    ones, hidden ones and those for Apple's systems count too. Those without an app are in
    DevTools/public-users.list, beside those that only an app of a long part uses.

    """

  static func run(_ words: [String]) throws -> Int32 {
    guard words.count <= 1 else { throw Failure("house [COMMIT]") }
    guard let commit = words.first else {
      try printFigures(of: ".")
      return 0
    }
    try Interruption.withTemporaryFolder { folder in
      try Git.extract(commit, to: folder)
      try printFigures(of: folder)
    }
    return 0
  }

  private static func printFigures(of root: String) throws {
    let manifest = try Manifest.read(root)
    let rooms = Files.entries(of: "\(root)/Sources").filter { Files.isFolder($0) }
    for room in rooms {
      let name = (room as NSString).lastPathComponent
      print("code lines of Sources/\(name)/: \(try codeLines(below: [room]))")
    }
    // Before Harbor was a package, its tests were in Tests.
    let tests = Files.entries(of: "\(root)/Tests").filter {
      ($0 as NSString).lastPathComponent.hasPrefix("Harbor")
    }
    let harbor = try codeLines(below: ["\(root)/Examples/Harbor"] + tests)
    print("code lines of Harbor and its tests: \(harbor)")
    let modules = manifest.targets.filter {
      [.regular, .executable].contains($0.type) && $0.name.hasPrefix("Causeway")
    }
    print("folders in Sources: \(rooms.count), Swift modules: \(modules.count)")
    let sources = try swiftLines(below: "\(root)/Sources")
    print("public types: \(sources.count { isPublicType($0) })")
    if root == "." {
      let list = try PublicUsersList(Files.text(PublicUsersList.path))
      print("public types without an app: \(list.withoutApp)")
    }
    let products = Set(manifest.products.map(\.name))
    let foreign = try swiftLines(below: "\(root)/Examples").compactMap(importedModule)
      .filter { !products.contains($0) }
    print("imports in examples of modules that are no products: \(foreign.count)")
    let scripts = Files.entries(of: "\(root)/Scripts").filter { !Files.isFolder($0) }
    print("scripts: \(scripts.count)")
  }

  /// The code lines of Swift files, pages and scripts of pages.
  private static func codeLines(below folders: [String]) throws -> Int {
    try Files.paths(below: folders, extensions: ["swift", "js", "c", "h", "css", "html"])
      .reduce(0) { try $0 + Files.lines($1).count { isCode($0) } }
  }

  private static func swiftLines(below folder: String) throws -> [String] {
    try Files.paths(below: [folder], extensions: ["swift"]).flatMap(Files.lines)
  }

  static func isCode(_ line: String) -> Bool {
    let text = line.withoutIndentation
    return !text.isEmpty && !text.hasPrefix("//")
  }

  static func isPublicType(_ line: String) -> Bool {
    // Few lines begin with these words, and the expression is slow.
    let text = line.withoutIndentation
    return ["public ", "open ", "@"].contains { text.hasPrefix($0) }
      && text.prefixMatch(
        of: #/(@[^ ]+ )*(public|open) (final |indirect )*(class|struct|enum|protocol|actor) /#)
        != nil
  }

  /// The module of Causeway that a line imports.
  static func importedModule(_ line: String) -> String? {
    let access = ["@testable ", "public ", "package ", "internal "]
    let rest = line.dropFirst(access.first { line.hasPrefix($0) }?.count ?? 0)
    guard rest.hasPrefix("import Causeway") else { return nil }
    return String(rest.dropFirst("import ".count).prefix { $0.isLetter })
  }
}

extension String {
  fileprivate var withoutIndentation: Substring {
    self[(utf8.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex)...]
  }
}
