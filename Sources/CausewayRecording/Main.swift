import CausewayInspector
import Foundation

/// The executable, which passes arguments and outputs to `RecordingCommand`.
@main
enum Main {
  static func main() {
    let code = RecordingCommand.run(
      Array(CommandLine.arguments.dropFirst()),
      say: { try? FileHandle.standardOutput.write(contentsOf: $0) },
      complain: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })
    exit(code)
  }
}
