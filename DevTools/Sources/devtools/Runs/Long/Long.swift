import Foundation

/// Runs the long parts of the checks, which take minutes each and find more than the quick parts.
enum Long: Command {
  static let name = "long"
  static let summary = "runs the long parts of the checks"
  static let help = """
    USAGE: Scripts/devtools long [PART]...   all parts by default
           Scripts/devtools long --next      the parts that the last push needs, while there is time
           Scripts/devtools long --plan      prints these parts, the most urgent first
           Scripts/devtools long --list      prints all parts, their minutes and their paths
    In a plan, "!" marks the part that has not run for the longest time, which always runs.

    LONG_UNTIL  the minute until which --next begins parts, 40 by default
    LONG_START  the second since 1970 at which the minutes begin; now by default
    PUSH_BASE   the commit before the push; by default, the last push is the last commits with less
                than 90 minutes between two of them
    Exit status: 0 if all of them passed, 1 if one failed.

    """

  static func run(_ words: [String]) throws -> Int32 {
    switch words {
    case ["--list"]:
      for part in LongPart.all {
        say(([part.name, "\(part.minutes)"] + part.paths).joined(separator: " "))
      }
      return 0
    case ["--plan"]:
      for choice in try plan() { say(choice.name + (choice.isDue ? "!" : "")) }
      return 0
    case ["--next"]:
      return try run(plan(), until: number("LONG_UNTIL") ?? 40)
    default:
      let names = words.isEmpty ? LongPart.all.map(\.name) : words
      return try run(names.map { LongPlan.Choice(name: $0, isDue: false) }, until: nil)
    }
  }

  private static func number(_ name: String) throws -> Int? {
    guard let text = variable(name) else { return nil }
    guard let number = Int(text) else {
      throw Failure("long: \(name) must be a number, not \"\(text)\"")
    }
    return number
  }

  private static func plan() throws -> [LongPlan.Choice] {
    // The whole history, because a window of it would forget when each part ran last.
    let log = try Shell.output(Git.command("log", "--format=commit %ct %H", "--name-only"))
    var commits: [LongPlan.Commit] = []
    for line in log.components(separatedBy: "\n") where !line.isEmpty {
      let words = line.components(separatedBy: " ")
      if words.count == 3, words[0] == "commit", let second = Int(words[1]) {
        commits.append(LongPlan.Commit(second: second, hash: words[2]))
      } else if !commits.isEmpty {
        commits[commits.count - 1].files.append(line)
      }
    }
    return LongPlan.choices(
      parts: LongPart.all, commits: commits, base: variable("PUSH_BASE"),
      minutes: try number("LONG_UNTIL") ?? 40)
  }

  private static func run(_ choices: [LongPlan.Choice], until: Int?) throws -> Int32 {
    let parts = try choices.map { choice in
      guard let part = LongPart.all.first(where: { $0.name == choice.name }) else {
        throw Failure("long: there is no part \"\(choice.name)\"; --list prints all")
      }
      return (part: part, isDue: choice.isDue)
    }
    guard !parts.isEmpty else { throw Failure("long: there is no part to run") }
    let strict = try SwiftPackages.strictOptions()
    let start = try number("LONG_START").map { Date(timeIntervalSince1970: Double($0)) } ?? Date()
    var failed: [String] = []
    for (part, isDue) in parts {
      let began = Date()
      let minute = Int(began.timeIntervalSince(start) / 60)
      if let until, !isDue, minute + part.minutes > until {
        say(
          "long: \(part.name) takes \(part.minutes) minutes, and minute \(minute) is over; "
            + "it waits for another push")
        continue
      }
      say("long: \(part.name) begins")
      do {
        if try !part.run(strict) { failed.append(part.name) }
      } catch {
        say("long: \(error)", to: .standardError)
        failed.append(part.name)
      }
      say("long: \(part.name) took \(Int(Date().timeIntervalSince(began))) s")
    }
    guard failed.isEmpty else {
      say(
        "Failed long parts: \(failed.joined(separator: " ")). 'make long PART=NAME' repeats one.")
      return 1
    }
    return 0
  }
}
