import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct ShellTests {
  @Test
  func `a program has the same status as in a shell`() throws {
    #expect(try Shell.run(["true"]).status == 0)
    #expect(try Shell.run(["sh", "-c", "exit 3"]).status == 3)
    #expect(try Shell.run(["sh", "-c", "kill -TERM $$"]).status == 128 + 15)
  }

  @Test
  func `output and errors are read`() throws {
    let both = ["sh", "-c", "echo one; echo two >&2"]
    #expect(try Shell.run(both, output: .readWithErrors).lines == ["one", "two"])
    #expect(try Shell.output(["printf", "%s", "a long line"]) == "a long line")
  }

  @Test
  func `a program that is not there is named`() {
    #expect(throws: Failure.self) { try Shell.run(["no-such-program"]) }
  }

  @Test
  func `a program has the folder and the variables that were passed`() throws {
    let result = try Shell.run(
      ["sh", "-c", "pwd; echo $PLACE"], output: .read, environment: ["PLACE": "here"], in: "/")
    #expect(result.lines == ["/", "here"])
  }
}
