import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct GitTests {
  /// Calls the closure with a repository whose first commit has the file "old", and the second one "new".
  private func withRepository(_ body: (_ folder: String, _ commits: [String]) throws -> Void) throws
  {
    try Interruption.withTemporaryFolder { folder in
      let script = """
        git init --quiet && git config user.name A && git config user.email a@example.org
        echo .build >.gitignore && touch old && git add --all && git commit --quiet -m first
        git mv old new && git commit --quiet -m second
        """
      try Shell.output(["sh", "-ec", script], in: folder)
      let log = try Shell.run(
        Git.command("-C", folder, "log", "--reverse", "--format=%H"), output: .read)
      try body(folder, log.lines)
    }
  }

  private func files(_ tree: String) -> [String] {
    Files.entries(of: tree).map { ($0 as NSString).lastPathComponent }
  }

  @Test
  func `another commit replaces the one before it, and what git ignores stays`() throws {
    try withRepository { repository, commits in
      let tree = "\(repository)/.build/tree"
      try Git.checkOut(commits[0], in: tree, of: repository)
      #expect(files(tree) == ["old"])
      try Files.clear("\(tree)/.build")
      try Files.write("", to: "\(tree)/.build/program")
      try Git.checkOut(commits[1], in: tree, of: repository)
      #expect(files(tree) == ["new"])
      #expect(Files.exists("\(tree)/.build/program"))
    }
  }

  @Test
  func `what an interrupted checkout leaves is mended`() throws {
    try withRepository { repository, commits in
      let tree = "\(repository)/.build/tree"
      // A folder without a checkout, which is in the repository around it.
      try Files.clear(tree)
      try Git.checkOut(commits[0], in: tree, of: repository)
      #expect(files(tree) == ["old"])
      // Files of another commit, and none of this one.
      try Files.write("", to: "\(tree)/new")
      try Shell.output(["rm", "\(tree)/old"])
      try Git.checkOut(commits[0], in: tree, of: repository)
      #expect(files(tree) == ["old"])
      // A checkout that git has locked and not made.
      try Shell.output(["rm", "-r", tree])
      try Files.write("initializing", to: "\(repository)/.git/worktrees/tree/locked")
      try Git.checkOut(commits[1], in: tree, of: repository)
      #expect(files(tree) == ["new"])
    }
  }
}
