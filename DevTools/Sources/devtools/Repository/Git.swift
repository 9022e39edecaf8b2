import Foundation

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

  /// Checks out a commit in a folder, which keeps what git ignores there.
  ///
  /// - Parameters:
  ///   - commit: Its hash.
  ///   - tree: The path of the folder from the root. Whatever an interrupted call left there is mended.
  ///   - repository: That of the working folder by default.
  static func checkOut(
    _ commit: String, in tree: String, of repository: String = "."
  ) throws {
    // In a folder that is no checkout, git finds the repository around it, and prints the way up to it.
    let up = try Shell.run(
      command("-C", tree, "rev-parse", "--show-cdup"), output: .readWithoutErrors)
    if !up.isSuccess || !up.lines.isEmpty {
      try? FileManager.default.removeItem(atPath: tree)
      // Twice, because git locks a checkout while it begins: one that was killed then stays locked.
      try Shell.output(
        command(
          "-C", repository, "worktree", "add", "--force", "--force", "--quiet", "--detach", tree,
          commit))
    }
    try Shell.output(command("-C", tree, "checkout", "--quiet", "--force", "--detach", commit))
    // An interrupted checkout leaves files of another commit, which would be built too.
    try Shell.output(command("-C", tree, "clean", "--quiet", "--force", "-d"))
  }
}
