import CausewaySignals
import Foundation

/// The program `harbor`, from its arguments to its exit code.
public enum Harbor {
  /// Runs the program until it is asked to stop.
  ///
  /// - Parameters:
  ///   - arguments: What was typed after the program's name.
  ///   - environment: The process' environment.
  ///   - say: Receives what belongs on standard output.
  ///   - complain: Receives what belongs on standard error.
  /// - Returns: The exit code: 0, 1 where it could not start or end well, 64 for arguments that
  ///   make no sense.
  public static func run(
    arguments: [String], environment: [String: String],
    say: @Sendable (String) -> Void, complain: @Sendable (String) -> Void
  ) async -> Int32 {
    let options: Options
    do {
      switch try Command(arguments: arguments) {
      case .help:
        say(Command.helpText)
        return 0
      case .run(let asked): options = asked
      }
    } catch {
      complain("harbor: \(error)\nTry `harbor --help`.\n")
      return 64
    }
    return await run(options, environment: environment, say: say, complain: complain)
  }

  private static func run(
    _ options: Options, environment: [String: String],
    say: @Sendable (String) -> Void, complain: @Sendable (String) -> Void
  ) async -> Int32 {
    // Armed before anything is open, so that no signal can end the process halfway.
    let signals = ShutdownSignal.received()
    let directory = DataDirectory(asked: options.directory, environment: environment)
    do {
      let server = try await HarborServer(options: options, directory: directory)
      say(
        """
        Harbor is open at \(server.url)
        The board is kept in \(directory.path). Ctrl-C stops.

        """)
      for await _ in signals { break }
      try await server.stop()
      say("Harbor is closed.\n")
      return 0
    } catch {
      complain("harbor: \(error)\n")
      return 1
    }
  }
}
