import Foundation

/// The folder in which a reader follows the tutorial, with the programs that run in it.
struct PantryFolder {
  let path: String
  let options: [String]
  private var servers: [Child] = []
  /// The address of a server of this step, which later programs use.
  private var server: String?
  /// The output of the last command.
  private var output: [String] = []

  init(path: String, options: [String]) {
    self.path = path
    self.options = options
  }

  func write(_ text: String, to file: String) throws {
    let file = URL(fileURLWithPath: "\(path)/\(file)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// Runs the tests, and throws if there are none; returns the exit status.
  @discardableResult
  func test(_ words: [String], mayFail: Bool = false) throws -> Shell.Result {
    let result = try Shell.run(
      swift("test") + ["--disable-xctest"] + words, output: .readWithErrors,
      environment: environment)
    guard result.output.contains(/Test\ run\ with\ [1-9]/) else {
      throw failure("no test has run", result.lines)
    }
    guard mayFail || result.isSuccess else { throw failure("the tests fail", result.lines) }
    return result
  }

  /// Runs the commands of a block, and compares the output of the last one.
  mutating func run(_ commands: [String], expecting expected: [String]?) throws {
    let mustFail = expected?.contains { $0.contains("✘") } ?? false
    var hasFailed = false
    var listens = false
    for line in commands {
      if listens { throw failure("a command follows a program that listens") }
      let result: Shell.Result
      if let call = line.firstRange(of: "swift run pantry") {
        try require(swift("build"), "swift build fails")
        let program = try SwiftPackages.programs(["--package-path", path] + options) + "/pantry"
        let words = line[call.upperBound...].split(separator: " ").map(String.init)
        if expected?.contains(where: { $0.hasPrefix("Listening at") }) ?? false {
          let data = line.prefixMatch(of: /PANTRY_DATA=([a-z]*)/)?.1
          try listen(program, words, data: data.map(String.init) ?? ".")
          listens = true
          continue
        }
        result = try read([program] + words)
      } else if line.hasPrefix("swift test") {
        let words = line.split(separator: " ").dropFirst(2).map(String.init)
        result = try test(words, mayFail: true)
      } else {
        result = try read(["bash", "-c", line])
      }
      output = result.lines
      if !result.isSuccess { hasFailed = true }
    }
    if hasFailed != mustFail {
      let block = commands.joined(separator: "\n")
      throw failure(mustFail ? "this command has to fail: \(block)" : "a command fails: \(block)")
    }
    // The lines of a program that listens were read already.
    if !listens, let line = TutorialPlan.firstMissing(expected ?? [], in: output) {
      throw failure("this line is not in the output, or not in this place: \(line)")
    }
  }

  /// Ends the programs of a step, the last first.
  mutating func stopServers() throws {
    server = nil
    while let last = servers.popLast() {
      if waitpid(last.process, nil, WNOHANG) != 0 {
        Interruption.ended(last.process)
        throw failure("a program has ended by itself")
      }
      kill(last.process, SIGTERM)
      guard last.result().isSuccess else {
        throw failure("a program did not end at SIGTERM")
      }
    }
  }

  /// Ends the programs of a step that has failed.
  func endServers() {
    for server in servers { kill(server.process, SIGTERM) }
    // They write to the folder until they end.
    for server in servers { _ = server.result() }
  }

  private var environment: [String: String] { server.map { ["PANTRY_SERVER": $0] } ?? [:] }

  private func swift(_ command: String) -> [String] {
    ["swift", command, "--package-path", path] + options
  }

  private func read(_ command: [String]) throws -> Shell.Result {
    try Shell.run(command, output: .readWithErrors, environment: environment, in: path)
  }

  private func failure(_ problem: String, _ lines: [String]? = nil) -> Failure {
    Failure(([problem] + (lines ?? output).suffix(40)).joined(separator: "\n"))
  }

  /// Starts the program, and checks its answer to a request.
  private mutating func listen(_ program: String, _ words: [String], data: String) throws {
    let log = "\(path).log.\(servers.count)"
    let variables = environment.merging(["PORT": "0", "PANTRY_DATA": data]) { $1 }
    // The program of the last step can have the same log.
    try "".write(toFile: log, atomically: true, encoding: .utf8)
    servers.append(
      try Shell.start(
        Shell.logged(["stdbuf", "-oL", program] + words, log), environment: variables, in: path))
    var address = ""
    for _ in 0..<200 where address.isEmpty {
      let text = try String(contentsOfFile: log, encoding: .utf8)
      output = text.components(separatedBy: "\n")
      address = text.firstMatch(of: /(?m)^Listening at (.+)\n/).map { String($0.1) } ?? ""
      if address.isEmpty { usleep(100_000) }
    }
    if words.first == "serve" {
      guard try answer(address, "/items").contains("\"version\"") else {
        throw failure("the server does not answer")
      }
      server = address
    } else if try !answer(address, "/").contains("<title>Pantry</title>") {
      throw failure("the program shows no page")
    }
  }

  /// The answer of a program to a request.
  private func answer(_ address: String, _ path: String) throws -> String {
    let script = """
      address=${0#http://}
      exec 3<>"/dev/tcp/${address%:*}/${address#*:}" || exit 1
      printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' "$1" "$address" >&3
      cat <&3
      """
    return try Shell.run(["bash", "-c", script, address, path], output: .read).output
  }
}
