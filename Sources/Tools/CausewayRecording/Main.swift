import CausewayBasics
import CausewayInspector
import Foundation

/// The executable, which passes arguments and outputs to `RecordingCommand`.
@main
enum Main {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "open" {
      guard let inspector = await RecordingCommand.open(arguments[1], say: say, complain: complain)
      else { exit(1) }
      for await _ in ShutdownSignal.received() { break }
      await inspector.stop()
      exit(0)
    }
    exit(RecordingCommand.run(arguments, say: say, complain: complain))
  }

  private static func say(_ data: Data) {
    try? FileHandle.standardOutput.write(contentsOf: data)
  }

  private static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
