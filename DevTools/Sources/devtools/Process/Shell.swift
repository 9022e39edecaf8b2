import Foundation

/// Runs other programs.
///
/// A child stays in the process group of the tool, so Ctrl-C in a terminal ends both. `Foundation.Process`
/// gives each child a group of its own.
enum Shell {
  /// The exit status of a program, and its output if it was read.
  struct Result {
    /// The exit status, or 128 and the number of the signal that ended it, as shells have it.
    let status: Int32
    let output: String

    var isSuccess: Bool { status == 0 }

    /// The lines of the output, without empty lines at its end.
    var lines: [String] {
      var lines = output.components(separatedBy: "\n")
      while lines.last == "" { lines.removeLast() }
      return lines
    }
  }

  /// Where the output of a program goes.
  enum Output {
    /// To the output and the errors of the tool.
    case shown
    /// Into the result. Errors go to the standard error stream of the tool.
    case read
    /// Into the result, together with the errors.
    case readWithErrors
    /// Into the result. Errors go nowhere.
    case readWithoutErrors
  }

  /// Runs a program and waits for its end.
  ///
  /// - Parameters:
  ///   - command: The program, looked up in `PATH`, and its arguments.
  ///   - environment: Variables that replace the tool's variables.
  ///   - folder: The working folder of the program. Default: the working folder of the tool.
  /// - Throws: `Failure` if it could not be started.
  @discardableResult
  static func run(
    _ command: [String], output: Output = .shown, environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Result {
    try start(command, output: output, environment: environment, in: folder).result()
  }

  /// Runs a program whose success is needed; returns its output.
  ///
  /// - Throws: `Failure` with its output if it fails.
  @discardableResult
  static func output(
    _ command: [String], environment: [String: String] = [:], in folder: String? = nil
  ) throws -> String {
    let result = try run(command, output: .read, environment: environment, in: folder)
    guard result.isSuccess else {
      throw Failure(
        "'\(command.joined(separator: " "))' ended with \(result.status)\n\(result.output)")
    }
    return result.output
  }

  /// Starts a program.
  static func start(
    _ command: [String], output: Output = .shown, environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Child {
    // The earlier output of the tool must come first.
    fflush(nil)
    // The C library of Linux does not show Swift its function for the folder of a child.
    let words =
      folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + command } ?? command
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ends: [Int32] = [-1, -1]
    if output != .shown {
      guard pipe(&ends) == 0 else { throw Failure("no pipe: \(String(cString: strerror(errno)))") }
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      if output == .readWithErrors { posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
      if output == .readWithoutErrors {
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      }
      for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    }
    // The threads of a test block signals, and a child has the mask of its thread.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A shell without job control starts the tool with SIGINT ignored. The children of the tool
    // must not ignore SIGINT, because this signal ends them.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    posix_spawnattr_setsigdefault(&attributes, &interrupt)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var process: pid_t = 0
    let program = words[0]
    let error = Interruption.starting(&process, words) { process in
      withWords(words) { words in
        withWords(variables.map { "\($0)=\($1)" }) {
          posix_spawnp(&process, program, &actions, &attributes, words, $0)
        }
      }
    }
    if output != .shown { close(ends[1]) }
    guard error == 0 else {
      if output != .shown { close(ends[0]) }
      throw Failure("\(command[0]): \(String(cString: strerror(error)))")
    }
    return Child(process: process, output: output == .shown ? nil : ends[0])
  }

  /// Replaces the tool by a program, which then gets the signals of the tool.
  static func become(_ program: String) throws -> Never {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    _ = withWords([program]) { execv(program, $0) }
    throw Failure("\(program): \(String(cString: strerror(errno)))")
  }

  /// Calls the closure with an array of C strings that ends with a null pointer.
  private static func withWords<T>(
    _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A program that runs.
struct Child {
  let process: pid_t
  /// The end of a pipe with its output.
  let output: Int32?

  /// Reads the output to its end, and waits for the end of the program.
  func result() -> Shell.Result {
    var text = ""
    if let output {
      let handle = FileHandle(fileDescriptor: output, closeOnDealloc: true)
      text = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    Interruption.ended(process)
    let signal = status & 0x7f
    return Shell.Result(status: signal == 0 ? status >> 8 & 0xff : 128 + signal, output: text)
  }
}
