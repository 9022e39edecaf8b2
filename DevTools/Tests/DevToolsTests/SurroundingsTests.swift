import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct SurroundingsTests {
  @Test
  func `a temporary folder is removed, also after an error`() throws {
    var path = ""
    try? Interruption.withTemporaryFolder { folder in
      path = folder
      try "a".write(toFile: "\(folder)/a", atomically: true, encoding: .utf8)
      throw Failure("an error")
    }
    #expect(!path.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test
  func `a log has the output and the errors of several programs`() throws {
    try Interruption.withTemporaryFolder { folder in
      _ = try Shell.run(["echo", "one"], log: "\(folder)/log")
      let failed = try Shell.run(["sh", "-c", "echo two >&2; exit 3"], log: "\(folder)/log")
      #expect(failed.status == 3)
      #expect(try String(contentsOfFile: "\(folder)/log", encoding: .utf8) == "one\ntwo\n")
    }
  }
}
