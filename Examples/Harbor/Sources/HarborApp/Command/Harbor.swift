import CausewayData
import CausewayWeb
import Foundation
import HarborBackend

/// The program `harbor`, from its arguments to its exit code.
public enum Harbor {
  /// The version of the changelog.
  public static let version = "0.1.0"

  /// Runs the program until it receives a signal to stop.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - environment: The environment variables of the process.
  ///   - say: Receives the text for standard output. If it throws, only an export fails, because
  ///     the other commands do their work elsewhere.
  ///   - complain: Receives the text for standard error.
  /// - Returns: The exit code: 0 after a clean stop, 1 if the program failed to start or to stop
  ///   cleanly, 64 for invalid arguments.
  public static func run(
    arguments: [String], environment: [String: String],
    say: @Sendable (String) throws -> Void, complain: @escaping @Sendable (String) -> Void
  ) async -> Int32 {
    let options: Options
    do {
      switch try Command(arguments: arguments) {
      case .help:
        try? say(Command.helpText)
        return 0
      case .version:
        try? say("Harbor \(version)\n")
        return 0
      case .run(let asked): options = asked
      case .backup(let target, let options):
        return await report(complain) {
          try await DataTask(options, environment).backUp(to: target)
          try? say("The copy is in \(ServerLog.escaped(target)).\n")
        }
      case .export(let file, let options):
        return await report(complain) {
          let (text, omitted) = try await DataTask(options, environment).export()
          if let file {
            do {
              try text.write(to: URL(filePath: file), options: .atomic)
            } catch {
              throw ArchiveProblem("\(file) cannot be written: \(SystemReason.of(error))")
            }
          } else {
            try write(String(decoding: text, as: UTF8.self), say)
          }
          // A script must notice that the export is not complete.
          if !omitted.isEmpty {
            throw ArchiveProblem(omitted.map(\.description).joined(separator: "\n"))
          }
        }
      case .invite(let group, let options):
        return await report(complain) {
          try write(try await DataTask(options, environment).invite(to: group) + "\n", say)
        }
      case .remove(let record, let options):
        return await report(complain) {
          try await DataTask(options, environment).remove(record)
          try? say("The record is removed.\n")
        }
      case .administer(let task, let options):
        return await report(complain) {
          try write(try await DataTask(options, environment).perform(task), say)
        }
      case .import(let file, let options):
        return await report(complain) {
          let count = try await DataTask(options, environment).importFile(file)
          try? say("\(count) records are new.\n")
        }
      }
    } catch {
      complain("harbor: \(text(of: error))\nTry `harbor --help`.\n")
      return 64
    }
    if options.publicName == nil, !NetworkName.isLoopback(options.listen) {
      complain(
        """
        harbor: Other machines can use Harbor at \(options.listen) without encryption\
        \(options.role == .backend ? "" : ", and its pages without a passphrase"). Use --public and \
        a proxy with TLS.

        """)
    }
    return await run(options, environment: environment, say: say, complain: complain)
  }

  /// The text of an error, which can contain names from a file or a database.
  private static func text(of error: any Error) -> String {
    ServerLog.escaped("\(error)", keepsLines: true)
  }

  /// Runs a command and returns its exit code.
  private static func report(
    _ complain: (String) -> Void, _ body: () async throws -> Void
  ) async -> Int32 {
    do {
      try await body()
      return 0
    } catch {
      complain("harbor: \(text(of: error))\n")
      return 1
    }
  }

  /// Prints the result of a command.
  private static func write(
    _ text: String, _ say: (String) throws -> Void
  ) throws(StartError) {
    do { try say(text) } catch { throw .output }
  }

  private static func run(
    _ options: Options, environment: [String: String],
    say: @Sendable (String) throws -> Void, complain: @escaping @Sendable (String) -> Void
  ) async -> Int32 {
    // The signals are handled first, because a signal must not end the process while it opens its
    // parts.
    let signals = ShutdownSignal.received()
    let directory = DataDirectory(asked: options.directory, environment: environment)
    let log = ServerLog(level: options.log, to: complain)
    let opening = Task {
      try await HarborServer(options: options, directory: directory, log: log)
    }
    let stopping = Task {
      for await _ in signals { break }
      // The start may wait for a server that does not answer.
      opening.cancel()
    }
    defer { stopping.cancel() }
    do {
      let server: HarborServer
      do {
        server = try await opening.value
      } catch StartError.cancelled {
        try? say("Harbor is closed.\n")
        return 0
      }
      let place =
        options.databaseServer == nil
        ? ServerLog.escaped(directory.path) : "a PostgreSQL database"
      try? say(
        """
        Harbor is open at \(server.url)
        The data is kept in \(place). Ctrl-C stops.

        """ + (server.inspector.map { "The inspector is open at \($0)\n" } ?? ""))
      log.info("Harbor \(version) has started at \(server.url)")
      await stopping.value
      log.info("Harbor is stopping.")
      try await server.stop()
      log.info("Harbor has stopped.")
      try? say("Harbor is closed.\n")
      return 0
    } catch {
      complain("harbor: \(text(of: error))\n")
      return 1
    }
  }
}
