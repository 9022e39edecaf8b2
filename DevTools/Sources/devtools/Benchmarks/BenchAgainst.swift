import Foundation

/// Compares the benchmarks of this version with those of another commit.
enum BenchAgainst: Command {
  static let name = "bench-against"
  static let summary = "compares the benchmarks with those of another commit"
  static let help = """
    USAGE: Scripts/devtools bench-against COMMIT|marked [FILTER]
           Scripts/devtools bench-against --compare OLD NEW   two files with the output of programs
    "marked" is the commit in Benchmarks/marked-commit, with which `make long` compares. It changes
    with each release, and when a row becomes slower on purpose. Before the first release, `make api`
    compares with it too, so it must have passed.

    The programs of the two versions run alternately, because the speed of a machine changes with
    time. A row is slow if its median is more than 15 % above the median of the other commit, the
    median of its floor is not, and each of its rounds is slower than all rounds of the other commit:
    so the noise of the machine fails no row. The slow rows are printed last, each with the medians
    and with the quickest and the slowest round of the two versions. The commit is checked out and
    built in .build/against, and the next comparison reuses that build.

    ROUNDS  how often each program runs, 5 by default
    Exit status: 0 if no row is slow, 1 if a row is slow, 2 if there is no comparison.

    """

  /// The programs that print rows with floors.
  private static let programs = ["Benchmarks", "DataBenchmarks"]

  static func lock(_ words: [String]) -> String? { words.first == "--compare" ? nil : "benchmarks" }

  static func run(_ words: [String]) throws -> Int32 {
    if words.first == "--compare" {
      guard words.count == 3 else { return usage() }
      return show(try read(words[1]), words[1], try read(words[2]), words[2])
    }
    guard (1...2).contains(words.count), !words.contains(where: { $0.isEmpty || $0.first == "-" })
    else { return usage() }
    var name = words[0]
    let text = variable("ROUNDS") ?? "5"
    guard let rounds = Int(text), rounds > 0 else {
      throw Failure("bench-against: ROUNDS is not a positive number: \(text)")
    }
    guard let commit = try Git.commit(&name) else {
      throw Failure("bench-against: git knows no commit \(name)")
    }
    return try compare(with: commit, rounds: rounds, filter: Array(words.dropFirst()))
  }

  private static func usage() -> Int32 {
    say(help.split(separator: "\n").prefix(2).joined(separator: "\n"), to: .standardError)
    return 2
  }

  private static func read(_ file: String) throws -> [String] {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Failure("bench-against: \(file) is not readable")
    }
    return String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
  }

  private static func show(
    _ old: [String], _ oldName: String, _ new: [String], _ newName: String
  ) -> Int32 {
    let comparison = BenchmarkComparison(old: old, named: oldName, new: new, named: newName)
    say(comparison.lines.joined(separator: "\n"))
    return comparison.status
  }

  private static func compare(
    with commit: String, rounds: Int, filter: [String]
  ) throws -> Int32 {
    let against = FileManager.default.currentDirectoryPath + "/.build/against"
    try Git.checkOut(commit, in: "\(against)/tree")
    say("bench-against: building this version", to: .standardError)
    try build("this version", in: ".", [])
    say("bench-against: building \(commit)", to: .standardError)
    try build(commit, in: "\(against)/tree", ["--scratch-path", "\(against)/build"])
    var old: [String] = []
    var new: [String] = []
    for round in 1...rounds {
      say("bench-against: round \(round) of \(rounds)", to: .standardError)
      old += try rows(of: commit, "\(against)/build/release", filter)
      new += try rows(of: "this version", "Benchmarks/.build/release", filter)
    }
    return show(old, commit, new, "this version")
  }

  /// Builds the programs of a version.
  ///
  /// The standard output of the command has only the comparison.
  private static func build(
    _ version: String, in folder: String, _ options: [String]
  ) throws {
    for program in programs {
      let command =
        ["swift", "build", "-c", "release", "--package-path", "\(folder)/Benchmarks"] + options
        + ["--product", program]
      guard try Shell.run(["sh", "-c", "exec \"$0\" \"$@\" >&2"] + command).isSuccess else {
        throw Failure("bench-against: \(program) of \(version) cannot be built")
      }
    }
  }

  private static func rows(
    of version: String, _ folder: String, _ filter: [String]
  ) throws -> [String] {
    try programs.flatMap {
      let result = try Shell.run(["\(folder)/\($0)"] + filter, output: .read)
      guard result.isSuccess else {
        throw Failure(
          "bench-against: \($0) of \(version) ended with \(result.status)\n\(result.output)")
      }
      return result.lines
    }
  }
}
