import Foundation

/// The entry point of the command line.
@main
enum Main {
  private static let help = """
    Finds isolation problems in Swift code, and prepares modules for default isolation.

    USAGE: causeway COMMAND

      check     reports problems that the compiler does not report
      migrate   prepares a module for default isolation to the main actor
      rules     lists the rules of check
      unused    lists the public types that no app uses

    'causeway COMMAND --help' describes a command. 'causeway --version' prints the version.

    """

  /// The version of the next release.
  private static let version = "0.1.0"

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      exit(try run(words))
    } catch {
      FileHandle.standardError.write(Data("causeway: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func run(_ words: [String]) throws -> Int32 {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "check": return try CheckCommand.run(rest)
    case "migrate": return try MigrateCommand.run(rest)
    case "rules":
      if let word = rest.first { throw ArgumentError("'causeway rules' has no option '\(word)'") }
      for rule in RuleSet.all {
        print(
          rule.id + (rule.isDefault ? "" : " (off by default)") + ": " + RuleText(rule.id).summary)
      }
      return 0
    case "unused": return try UnusedCommand.run(rest)
    case "document": return try DocumentCommand.run(rest)
    case "--help", "-h", "help":
      print(help, terminator: "")
      return 0
    case "--version":
      print("causeway \(version)")
      return 0
    case nil: throw ArgumentError("the command is missing\n\n" + help)
    case .some(let word):
      let commands = ["check", "migrate", "rules", "unused", "help"]
      throw ArgumentError(
        "there is no command '\(word)'\(Suggestion.text(for: word, in: commands))\n\n" + help)
    }
  }
}
