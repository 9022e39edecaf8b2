public import Foundation
import Synchronization

/// A program that a test starts, started without Foundation's `Process`.
///
/// `Process` crashes in a process that has about a thousand open files. Tests of many servers and
/// connections that run at the same time have that many.
public final class SpawnedProcess: Sendable {
  /// How a program ended.
  public enum Exit: Sendable, Equatable {
    /// The program returned this exit code; -1 if the system has not kept it.
    case code(Int32)
    /// This signal ended the program.
    case signal(Int32)
  }

  /// The id of the process.
  public let identifier: pid_t
  /// `nil` while the program runs.
  private let ending = Mutex<Exit?>(nil)
  private let hasEnded = DispatchGroup()

  /// Starts a program in a process group of its own.
  ///
  /// The program inherits no open files except the given ones, and no ignored or blocked signals.
  ///
  /// - Parameters:
  ///   - environment: `nil` for the environment of this process.
  ///   - input: The file that the program reads; `nil` for an empty one.
  ///   - output: The file that the program writes; `nil` to drop its output.
  ///   - errors: The file for the program's error messages; `nil` to drop them.
  ///   - onExit: Called once on a thread of its own, after the program has ended.
  /// - Throws: `POSIXError` if the program cannot be started.
  public init(
    _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
    input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = .standardError,
    onExit: @escaping @Sendable (Exit) -> Void = { _ in }
  ) throws {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let files = [input, output, errors]
    // A released handle would close its file before the program gets it.
    identifier = try withExtendedLifetime(files) {
      try Self.spawn(
        [executable.path] + arguments, environment.map { "\($0)=\($1)" },
        files: files.map { $0?.fileDescriptor })
    }
    hasEnded.enter()
    Thread { [self] in
      // The id of the process stays taken until it is removed under the lock. So no signal reaches
      // another process that got the same id.
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      let exit = ending.withLock { ending in
        var status: Int32 = 0
        let isKnown = waitpid(identifier, &status, 0) == identifier
        let signal = status & 0x7F
        let exit = signal == 0 ? Exit.code(isKnown ? status >> 8 & 0xFF : -1) : .signal(signal)
        ending = exit
        return exit
      }
      hasEnded.leave()
      onExit(exit)
    }.start()
  }

  /// Whether the program has not ended yet.
  public var isRunning: Bool { ending.withLock { $0 == nil } }

  /// Sends the program a signal; has no effect if the program has ended.
  public func send(signal: Int32) {
    ending.withLock { if $0 == nil { kill(identifier, signal) } }
  }

  /// Waits until the program has ended, and blocks the thread in the meantime.
  @discardableResult
  public func waitForExit() -> Exit {
    hasEnded.wait()
    return ending.withLock { $0 } ?? .code(-1)
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String], files: [Int32?]
  ) throws -> pid_t {
    var signals = sigset_t()
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let closing: Int32 = 0
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(
        POSIX_SPAWN_SETSIGMASK | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
          | closing))
    for (number, file) in files.enumerated() {
      if let file {
        // The standard files of a test run are open, so another given file has a higher number.
        posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    #if os(Linux)
      // The overlay of glibc does not declare the function.
      typealias CloseFrom =
        @convention(c) (
          UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
        ) -> Int32
      let name = "posix_spawn_file_actions_addclosefrom_np"
      guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { throw POSIXError(.ENOSYS) }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
    #endif
    let texts = (arguments.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
    defer { for text in texts.0 + texts.1 { free(text) } }
    var identifier: pid_t = 0
    let status = posix_spawn(&identifier, arguments[0], &actions, &attributes, texts.0, texts.1)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOENT) }
    return identifier
  }
}
