import Foundation

/// Measures the figures of Documentation/Benchmarks.md, and writes them into the page.
enum BenchmarksPage: Command {
  static let name = "benchmarks-page"
  static let summary = "measures the figures of Benchmarks.md, or checks its claims"
  static let help = """
    USAGE: Scripts/devtools benchmarks-page measure [REGEX]   blocks whose command begins with it
           Scripts/devtools benchmarks-page check             the claims and pictures of the page
    A block of Documentation/Benchmarks.md begins with <!-- measured: PROGRAM ARGUMENTS --> and ends
    with <!-- end -->. What is between them is replaced by the output of
    make bench PROGRAM=… ARGS="…", with the date, the machine and its load. A program that fails
    leaves its block unchanged. The lines of pages that differ in a number are also drawn, as
    Documentation/Images/growth-….svg.

    A claim is a line of a table with the quoted text of an article and the names of rows. Each text
    must be in the file that the line links to, and each row in a block.
    Exit status: 0 if all is measured or correct, 1 if not.

    """

  private static let page = "Documentation/Benchmarks.md"

  static func lock(_ words: [String]) -> String? { words.first == "measure" ? "benchmarks" : nil }

  static func run(_ words: [String]) throws -> Int32 {
    switch words.first {
    case "measure" where words.count <= 2: return try measure(words.count == 2 ? words[1] : "")
    case "check" where words.count == 1: return try check()
    default:
      say(help.split(separator: "\n").prefix(2).joined(separator: "\n"), to: .standardError)
      return 2
    }
  }

  private static func readPage() throws -> String {
    try String(contentsOfFile: page, encoding: .utf8)
  }

  private static func picture(of subject: GrowthPlot.Subject) -> String {
    "Documentation/Images/growth-\(subject).svg"
  }

  private static func measure(_ expression: String) throws -> Int32 {
    var status: Int32 = 0
    for command in try commands(in: readPage(), beginningWith: expression) {
      let words = command.split(separator: " ", maxSplits: 1).map(String.init)
      let arguments = words.count > 1 ? words[1] : ""
      let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))
        .flatMap { $0.split(separator: " ").first.map(String.init) }
      let before = try load ?? Shell.word(["uptime"])
      let result = try Shell.run(
        ["make", "-s", "bench", "PROGRAM=\(words[0])", "ARGS=\(arguments)"], output: .read)
      guard result.isSuccess else {
        say(result.output, to: .standardError)
        status = 1
        continue
      }
      let call =
        "make bench PROGRAM=\(words[0])" + (arguments.isEmpty ? "" : " ARGS='\(arguments)'")
      let heading = try [
        "`\(call)`", Shell.word(["date", "+%Y-%m-%d"]), machine(),
      ].joined(separator: ", ")
      try replace(
        "<!-- measured: \(command) -->",
        by: "\(heading); load average before: \(before).\n\n\(BenchmarkTable.page(result.output))",
        in: readPage()
      ).write(toFile: page, atomically: true, encoding: .utf8)
    }
    for subject in GrowthPlot.Subject.allCases {
      if let picture = GrowthPlot.picture(of: subject, page: try readPage()) {
        try picture.write(toFile: self.picture(of: subject), atomically: true, encoding: .utf8)
      } else {
        status = 1
      }
    }
    return status
  }

  /// The commands of the blocks of a page that begin with a regular expression.
  ///
  /// - Throws: `Failure` if there is none.
  static func commands(in page: String, beginningWith expression: String) throws -> [String] {
    let selected = try Regex(expression)
    let commands = page.matches(of: /(?m)^<!-- measured:\ (.*) -->$/).map(\.1)
      .filter { $0.prefixMatch(of: selected) != nil }.map { String($0) }
    guard !commands.isEmpty else {
      throw Failure("benchmarks-page: the command of no block begins with \(expression)")
    }
    return commands
  }

  /// The page with another text between a mark and the end of its block.
  static func replace(_ mark: String, by text: String, in page: String) -> String {
    var lines: [Substring] = []
    var skips = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if skips, line == "<!-- end -->" { skips = false }
      if !skips { lines.append(line) }
      if line == mark {
        lines.append("\n\(text)")
        skips = true
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The processor, the number of its cores, the system and the compiler.
  private static func machine() throws -> String {
    let processors = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let model = processors?.firstMatch(of: /(?m)^model name[^:]*: (.*)$/).map { String($0.1) }
    let release = try Shell.word(["uname", "-r"]).split(separator: ".").prefix(2)
    let swift = try Shell.run(["swift", "--version"], output: .readWithErrors).output
      .firstMatch(of: /Swift version ([0-9.]+)/)
    return try "\(model ?? Shell.word(["uname", "-m"])), \(Shell.cores()) cores, "
      + "\(Shell.word(["uname", "-s"])) \(release.joined(separator: ".")), "
      + "Swift \(swift?.1 ?? "")"
  }

  /// Prints each claim whose text or rows do not exist.
  private static func check() throws -> Int32 {
    let page = try readPage()
    var problems = problems(in: page) { try? String(contentsOfFile: $0, encoding: .utf8) }
    for subject in GrowthPlot.Subject.allCases {
      let picture = picture(of: subject)
      let drawn = GrowthPlot.picture(of: subject, page: page)
      if drawn == nil || drawn != (try? String(contentsOfFile: picture, encoding: .utf8)) {
        problems.append("\(picture) is not the picture of the figures in \(self.page)")
      }
    }
    for problem in problems { say(problem) }
    return problems.isEmpty ? 0 : 1
  }

  /// The claims of a page whose text is not in their article, or whose rows are not on the page.
  static func problems(in page: String, article: (String) -> String?) -> [String] {
    var problems: [String] = []
    for (index, line) in page.components(separatedBy: "\n").enumerated() {
      guard let claim = line.wholeMatch(of: /\|\ “([^”]*)”.*\]\(([^)#]*)[^)]*\).*\|([^|]*)\|/)
      else {
        if line.hasPrefix("| “") { problems.append("\(self.page):\(index + 1): no claim") }
        continue
      }
      let text = article("Documentation/\(claim.2)")?.replacing("\n", with: " ") ?? ""
      if !text.contains(claim.1) {
        problems.append("\(self.page):\(index + 1): \(claim.2) does not contain “\(claim.1)”")
      }
      for row in claim.3.matches(of: /`([^`]*)`/).map(\.1)
      where !page.contains("| \(row) |") && !page.contains("\(row):") {
        problems.append("\(self.page):\(index + 1): no block has the row \(row)")
      }
    }
    return problems
  }
}
