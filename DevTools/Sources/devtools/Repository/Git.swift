/// Asks git about the repository, which may belong to another user.
enum Git {
  /// The words of a call of git.
  static func command(_ words: String...) -> [String] { command(words) }

  private static func command(_ words: [String]) -> [String] {
    ["git", "-c", "safe.directory=*"] + words
  }

  /// The output of a git command on one line; `nil` if it fails.
  static func line(_ words: [String]) throws -> String? {
    let result = try Shell.run(command(words), output: .readWithoutErrors)
    return result.isSuccess ? result.lines.first : nil
  }

  /// The short hash of a commit; `nil` if git knows none with this name.
  ///
  /// - Parameter name: Becomes the name in Benchmarks/marked-commit if it is "marked".
  static func commit(_ name: inout String) throws -> String? {
    if name == "marked" { name = try Files.lines("Benchmarks/marked-commit").first ?? "" }
    return try line(["rev-parse", "--quiet", "--verify", "--short", "\(name)^{commit}"])
  }

  /// Writes the files of a commit to a folder.
  static func extract(_ commit: String, to folder: String) throws {
    let archive = "\(folder)/.archive.tar"
    try Shell.output(command("archive", "--output", archive, commit))
    try Shell.output(["tar", "-xf", archive, "-C", folder])
    try Shell.output(["rm", archive])
  }
}
