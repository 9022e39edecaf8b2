import Foundation

/// Compares the table of modules in an article with the manifest, or writes it.
enum ModuleTable: Command {
  static let name = "module-table"
  static let summary = "compares the table of modules with Package.swift, or writes it"
  static let help = """
    USAGE: Scripts/devtools module-table compare | write

    Compares the table of modules in Documentation/Architecture.md with Package.swift, or writes it.
    Exit status: 0 if the table is the one of the manifest.

    """

  private static let page = "Documentation/Architecture.md"
  private static let first =
    "<!-- The table of the manifest: Scripts/devtools module-table write -->"
  private static let last = "<!-- The end of the table -->"

  static func run(_ words: [String]) throws -> Int32 {
    let old = try Files.text(page)
    let new = try replacing(in: old, rows(of: .read()))
    switch words {
    case ["write"]:
      try Files.write(new, to: page)
      return 0
    case ["compare"]:
      return try Interruption.withTemporaryFolder { folder in
        try Files.write(new, to: "\(folder)/page")
        return try Shell.run(["diff", page, "\(folder)/page"]).status
      }
    default: throw Failure("module-table compare or write")
    }
  }

  /// The targets that are no tests, in the order of the manifest, each with the targets that it
  /// uses.
  static func rows(of manifest: Manifest) -> [String] {
    let targets = manifest.targets.filter {
      $0.type != .system && $0.type != .test && $0.path?.hasPrefix("Tests") != true
    }
    return ["| module | imports | system libraries |", "|---|---|---|"]
      + targets.map { target in
        let used = manifest.uses(target)
        let cells = [
          "`\(target.name)`",
          used.filter { $0.type != .system }.map(\.name).joined(separator: ", "),
          used.filter { $0.type == .system }.map { $0.pkgConfig ?? $0.name }.joined(
            separator: ", "),
        ]
        return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
      }
  }

  /// The page with the rows between its two marks.
  static func replacing(in page: String, _ rows: [String]) throws -> String {
    let parts = page.components(separatedBy: first)
    guard parts.count == 2, let end = parts[1].range(of: last) else {
      throw Failure("the page needs one line '\(first)' and behind it '\(last)'")
    }
    let table = (["", ""] + rows + ["", ""]).joined(separator: "\n")
    return parts[0] + first + table + parts[1][end.lowerBound...]
  }
}
