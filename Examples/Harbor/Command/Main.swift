import Foundation
import HarborApp

/// The executable: hands the process' arguments, environment and outputs to ``Harbor``.
@main
enum Main {
  static func main() async {
    // The board is private: other users of the machine must not read it in any directory.
    umask(0o077)
    let code = await Harbor.run(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      // Unbuffered, so that a program that waits for the address gets it at once.
      say: { FileHandle.standardOutput.write(Data($0.utf8)) },
      complain: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(code)
  }
}
