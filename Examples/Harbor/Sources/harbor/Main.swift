import Foundation
import HarborApp

/// The executable.
///
/// It passes the arguments, environment and outputs of the process to ``Harbor``.
@main
enum Main {
  static func main() async {
    // The board is private. Other users of the machine must not read its files in any directory.
    umask(0o077)
    // If the program that reads the output ends, a write fails. It must not end a server.
    signal(SIGPIPE, SIG_IGN)
    openMissingStreams()
    let code = await Harbor.run(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      // The output is not buffered, because another program can wait for the address.
      say: { try FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
      complain: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })
    exit(code)
  }

  /// Opens the standard streams that the starting program has closed.
  ///
  /// Otherwise a database could get the number of such a stream, and a text for the stream would
  /// damage the database.
  private static func openMissingStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The system returns the lowest free number.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
