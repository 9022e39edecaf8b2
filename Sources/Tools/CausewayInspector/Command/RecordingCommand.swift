import CausewaySystem
package import Foundation

/// The program `causeway-recording`, from its arguments to its exit code.
package enum RecordingCommand {
  package static let help = """
    Reads recordings of the Causeway inspector.

    causeway-recording dump RING   prints the ring of a program, also of a killed one, as a recording
    causeway-recording show FILE   prints a recording for people; FILE can also be a ring
    causeway-recording open FILE   shows a recording or a ring on a page, until Ctrl-C
    causeway-recording test FILE   writes a Swift test that repeats the session of a model

    Options of `test`:
      --model NAME          the model; default: the first one
      --step N              the last step; default: the last one
      --feature EXPRESSION  makes the feature; default: its type without arguments
      --module NAME         imports this module; may be repeated
      --orders              runs the effects of the feature in other orders

    A recording consists of JSON lines. A ring is the file that `Inspector(ringFile:)` makes.

    """

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - say: Receives the text for standard output.
  ///   - complain: Receives the text for standard error.
  /// - Returns: The exit code: 0, 1 if a file cannot be read, 64 for invalid arguments.
  package static func run(
    _ arguments: [String], say: (Data) -> Void, complain: (String) -> Void
  ) -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      say(Data(help.utf8))
      return 0
    }
    guard arguments.count >= 2, let verb = Verb(rawValue: arguments[0]),
      let options = options(arguments.dropFirst(2)), verb == .test || arguments.count == 2
    else {
      complain("causeway-recording: Type a verb and a file. Try --help.\n")
      return 64
    }
    do {
      say(try output(verb, file: arguments[1], options))
      return 0
    } catch {
      report(error, arguments[1], complain)
      return 1
    }
  }

  /// Serves the page of a recording or a ring, and prints its address.
  ///
  /// - Returns: The inspector that serves the page, or `nil` if the file cannot be read.
  package static func open(
    _ file: String, say: (Data) -> Void, complain: (String) -> Void
  ) async -> Inspector? {
    do {
      let recording = try Recording(file: Data(contentsOf: URL(filePath: file)))
      let inspector = Inspector(showing: recording)
      say(Data("The recording is open at \(try await inspector.start())\n".utf8))
      return inspector
    } catch {
      report(error, file, complain)
      return nil
    }
  }

  private static func report(_ error: any Error, _ file: String, _ complain: (String) -> Void) {
    let isOwn = error is RecordingError || error is ScriptError || error is InspectorError
    let reason = isOwn ? "\(error)" : error.localizedDescription
    complain("causeway-recording: \(PrintableText.escaped("\(file): \(reason)"))\n")
  }

  private enum Verb: String { case dump, show, test }

  /// The options of `test`; `nil` if one is not valid.
  private static func options(_ arguments: ArraySlice<String>) -> TestScript.Options? {
    var options = TestScript.Options()
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--orders" {
        options.triesOrders = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--model": options.model = value
      case "--feature": options.feature = value
      case "--module": options.modules.append(value)
      case "--step":
        guard let step = Int(value) else { return nil }
        options.step = step
      default: return nil
      }
    }
    return options
  }

  private static func output(
    _ verb: Verb, file: String, _ options: TestScript.Options
  ) throws -> Data {
    let data = try Data(contentsOf: URL(filePath: file))
    switch verb {
    case .dump: return try Recording(ring: data).jsonLines()
    case .show: return Data(try Recording(file: data).text.utf8)
    case .test: return Data(try TestScript(Recording(file: data), options).text.utf8)
    }
  }
}
