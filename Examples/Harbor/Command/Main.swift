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
    let code = await Harbor.run(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      // The output is not buffered, because another program can wait for the address.
      say: { FileHandle.standardOutput.write(Data($0.utf8)) },
      complain: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(code)
  }
}
