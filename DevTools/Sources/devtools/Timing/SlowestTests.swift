import Foundation

/// Runs tests one at a time, and lists those that use the most processor time.
enum SlowestTests: Command {
  static let name = "slowest-tests"
  static let summary = "lists the tests that use the most processor time"
  static let help = """
    USAGE: Scripts/devtools slowest-tests swift test --no-parallel [option]...

    Runs tests one at a time, and lists the 40 that use the most processor time. With --filter, there
    may be no test.
    Output: a line for each test: its processor time and its time on the clock in seconds, and its name.
            The processor time contains that of the processes that the test has waited for.
    Exit status: 1 if a test needs more than two seconds and is not in Tests/slow-tests, or if one fails.

    """

  static func run(_ words: [String]) throws -> Int32 {
    guard !words.isEmpty else {
      throw Failure("slowest-tests swift test --no-parallel [option]...")
    }
    return try Interruption.withTemporaryFolder { folder in
      let events = "\(folder)/events"
      guard mkfifo(events, 0o600) == 0, let stream = fopen(events, "r+") else {
        throw Failure("no pipe: \(String(cString: strerror(errno)))")
      }
      defer { fclose(stream) }
      // A command that fails at once never opens the pipe, so the shell writes the end.
      let shell = """
        events=$1 output=$2
        shift 2
        "$@" --event-stream-output-path "$events" >"$output" 2>&1
        echo "end $?" >"$events"
        """
      let output = "\(folder)/output"
      let runner = try Shell.start(["sh", "-c", shell, "sh", events, output] + words)
      let (times, status) = try measure(runner.process, stream)
      _ = runner.result()
      if status != 0 { try Shell.run(["tail", "-n", "20", output]) }
      return try report(times, isFiltered: words.contains("--filter")) && status == 0 ? 0 : 1
    }
  }

  /// Reads the events to their end; returns the times of the tests, and the status of the command.
  private static func measure(
    _ runner: pid_t, _ stream: UnsafeMutablePointer<FILE>
  ) throws -> ([TestTime], Int32) {
    var process: String?
    var clock = TestClock(ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, stream) > 0, let line {
      let text = String(cString: line)
      if text.hasPrefix("end ") {
        return (clock.times, Int32(text.dropFirst(4).dropLast()) ?? 1)
      }
      guard let event = TestEvent(text) else { continue }
      // The process of the tests is the last child of the runner.
      if process == nil { process = try lastChild(lastChild("\(runner)")) }
      clock.add(event, ticks: process.flatMap(ticks))
    }
    throw Failure("the events ended before the tests")
  }

  private static func lastChild(_ process: String) throws -> String {
    try Shell.run(["pgrep", "-P", process], output: .read).lines.last ?? ""
  }

  /// The processor time of a process and of those that it has waited for, in ticks.
  private static func ticks(of process: String) -> Int? {
    // The name of the program is in parentheses.
    guard let stat = try? Files.text("/proc/\(process)/stat").split(separator: ")").last else {
      return nil
    }
    return stat.split(separator: " ").dropFirst(11).prefix(4).reduce(0) { $0 + (Int($1) ?? 0) }
  }

  /// Prints the list; returns whether the tests are quick enough.
  private static func report(_ times: [TestTime], isFiltered: Bool) throws -> Bool {
    let total = TestTime(
      test: "all \(times.count) tests", processor: times.reduce(0) { $0 + $1.processor },
      clock: times.reduce(0) { $0 + $1.clock })
    let sorted = times.sorted { $0.processor > $1.processor }
    for time in [total] + sorted.prefix(40) { print(time.text) }
    let allowed = try Files.lines("Tests/slow-tests").filter { !$0.hasPrefix("#") }
    var errors = sorted.filter { $0.processor > 2 && !$0.isAllowed(by: allowed) }.map {
      "needs more than two seconds, and is not in Tests/slow-tests: \($0.nameWithoutParameters)"
    }
    if total.processor == 0, !(times.isEmpty && isFiltered) {
      errors.append("no test has used the processor")
    }
    for error in errors { print("error: \(error)") }
    return errors.isEmpty
  }
}
