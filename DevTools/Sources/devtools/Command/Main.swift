import Foundation

/// The entry point of the command line.
@main
enum Main {
  /// All commands, in the order of the help.
  static let commands: [any Command.Type] = [
    House.self,
    ModuleTable.self,
    ModuleLimits.self,
    SymbolGraphs.self,
    Documented.self,
    Messages.self,
    PublicAPI.self,
    PublicUsers.self,
    Docs.self,
    SlowestTests.self,
    Long.self,
    BenchAgainst.self,
    BenchmarksPage.self,
    Simulate.self,
    Replays.self,
    Worlds.self,
    Mutate.self,
    Flake.self,
    Stress.self,
    Fuzz.self,
    Tutorial.self,
    PlantedFaults.self,
  ]

  static func main() {
    Interruption.watch()
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      exit(try run(words))
    } catch {
      FileHandle.standardError.write(Data("devtools: \(error)\n".utf8))
      exit(2)
    }
  }

  /// Runs the command that the first word names.
  static func run(_ words: [String]) throws -> Int32 {
    guard let name = words.first, name != "--help", name != "-h" else {
      print(help, terminator: "")
      return words.isEmpty ? 2 : 0
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      throw Failure("there is no command '\(name)'; 'Scripts/devtools --help' lists them")
    }
    if words.count == 2, ["--help", "-h"].contains(words[1]) {
      print(command.help, terminator: "")
      return 0
    }
    let arguments = Array(words.dropFirst())
    guard let lock = command.lock(arguments) else { return try command.run(arguments) }
    return try CheckoutLock.withLock(lock, for: words) { try command.run(arguments) }
  }

  private static var help: String {
    let width = (commands.map { $0.name.count }.max() ?? 0) + 3
    return
      "USAGE: Scripts/devtools COMMAND; 'Scripts/devtools COMMAND --help' describes a command\n\n"
      + commands.map {
        "  " + $0.name.padding(toLength: width, withPad: " ", startingAt: 0) + $0.summary + "\n"
      }.joined()
  }
}
