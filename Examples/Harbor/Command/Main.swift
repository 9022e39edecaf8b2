import Foundation
import HarborApp

/// The executable: hands the process' arguments, environment and outputs to ``Harbor``.
@main
enum Main {
  static func main() async {
    // Who comes where is nobody else's business, whatever directory the board is kept in.
    umask(0o077)
    let code = await Harbor.run(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      // Unbuffered, so that whoever waits for the address gets it at once.
      say: { FileHandle.standardOutput.write(Data($0.utf8)) },
      complain: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(code)
  }
}
