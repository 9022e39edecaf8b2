import Foundation

/// Checks the messages that the compiler prints for mistakes.
enum Messages: Command {
  static let name = "messages"
  static let summary = "checks the compiler's messages for mistakes in Tests/Messages"
  static let help = """
    USAGE: Scripts/devtools messages [option of `swift build`]...

    Checks that each mistake in Tests/Messages/Mistakes.swift has the message above it, that there is no
    other error, and that each message of the runtime has a mistake. The libraries must be built with
    the same options first.
    An action with a case and no property of that name has a message of the compiler: the overload for it
    keeps the compiler from talking about another one.
    Exit status: 0 if the messages are these.

    """

  private static let fixture = "Tests/Messages/Mistakes.swift"

  static func run(_ words: [String]) throws -> Int32 {
    let modules = try SwiftPackages.programs(words) + "/Modules"
    let result = try Shell.run(
      ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules, fixture],
      output: .readWithErrors)
    let errors = result.lines.filter { !$0.hasPrefix(" ") && $0.contains("error: ") }
    let sources = Files.paths(below: ["Sources/Runtime/Causeway"], extensions: ["swift"])
    let messages = try Set(sources.flatMap { unavailable(in: try Files.text($0)) })
    let problems = try problems(in: Files.text(fixture), errors: errors, messages: messages)
    for problem in problems { print("\(fixture)\(problem)") }
    return problems.isEmpty ? 0 : 1
  }

  /// The messages of the declarations that are not available.
  static func unavailable(in source: String) -> [String] {
    let attribute =
      /@available\(\s*\*,\s*unavailable,[^"]*message:\s*("""[\s\S]*?"""|"(\\.|[^"\\])*")/
    return source.matches(of: attribute).map { match in
      guard match.1.hasPrefix("\"\"\"") else {
        let text = match.1.dropFirst().dropLast()
        return String(text.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\"))
      }
      // A backslash at the end of a line continues it.
      return match.1.split(separator: "\n").dropFirst().dropLast().map { line in
        let text = line.drop { $0 == " " }
        return String(text.hasSuffix("\\") ? text.dropLast() : text)
      }.joined()
    }
  }

  /// The problems with the errors of a fixture, each with its line.
  static func problems(in fixture: String, errors: [String], messages: Set<String>) -> [String] {
    let mark = #/^ *// MESSAGE /#
    var expected: [Int: String] = [:]
    for (index, line) in fixture.components(separatedBy: "\n").enumerated() {
      // The mistake is on the next line, and the first line is 1.
      if let match = line.firstMatch(of: mark) {
        expected[index + 2] = String(line[match.range.upperBound...])
      }
    }
    var unseen = messages.filter { !$0.contains("needs a property of the action") }
    var problems: [String] = []
    for error in errors {
      let parts = error.split(separator: ":", maxSplits: 2)
      let wanted =
        parts.count > 1 ? Int(parts[1]).flatMap { expected.removeValue(forKey: $0) } : nil
      if let start = error.range(of: " is unavailable: ", options: .backwards) {
        let message = String(error[start.upperBound...])
        unseen.remove(message)
        if message == wanted { continue }
      } else if let wanted, error.contains(wanted) {
        continue
      }
      problems.append(": unexpected: \(error)")
    }
    problems += expected.sorted { $0.key < $1.key }.map { ":\($0.key): no error with \($0.value)" }
    problems += unseen.sorted().map { ": no mistake has the message \($0)" }
    return problems
  }
}
