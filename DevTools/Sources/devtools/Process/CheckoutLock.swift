import Foundation

/// Lets one command at a time use a folder that several commands of a checkout write to.
///
/// SwiftPM locks a folder only while it builds. The commands also run what they have built there, and
/// keep sources and results beside it.
enum CheckoutLock {
  /// Calls the closure while no other process has the lock.
  ///
  /// A command that has to wait prints for which one. A lock ends with its process.
  ///
  /// - Parameters:
  ///   - name: The name of the lock. Its file is below `folder`.
  ///   - command: What the other commands print while they wait.
  ///   - folder: That of all builds by default.
  static func withLock<T>(
    _ name: String, for command: [String], in folder: String = ".build", _ body: () throws -> T
  ) throws -> T {
    let path = "\(folder)/\(name).lock"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A child that lives longer than the tool must not keep the lock.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(path) }
    // The file stays: a command that waits has opened it. Closing it is not enough while a child of
    // another thread begins, which has it for a moment.
    defer {
      flock(file, LOCK_UN)
      close(file)
    }
    if flock(file, LOCK_EX | LOCK_NB) != 0 {
      let holder = (try? Files.lines(path).first) ?? "another command"
      say("devtools: waits for the end of \(holder), which uses this checkout", to: .standardError)
      while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { throw failure(path) } }
    }
    let text = "'\(command.joined(separator: " "))' (process \(getpid()))\n"
    guard ftruncate(file, 0) == 0, pwrite(file, text, text.utf8.count, 0) == text.utf8.count
    else { throw failure(path) }
    return try body()
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(path): \(String(cString: strerror(errno)))")
  }
}
