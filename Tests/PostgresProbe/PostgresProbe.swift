import CausewayData
import CausewayPostgres
import Foundation

/// A backend process that writes to a database until a test kills it.
@main struct PostgresProbe {
  /// The migrations of the tests that start this process.
  private static let migrations = [
    Migration("create entry", "CREATE TABLE entry (key TEXT NOT NULL)")
  ]

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      say("use: PostgresProbe URL NAME")
      exit(64)
    }
    let service = try await PostgresService(url: arguments[1], migrations: migrations)
    let name = arguments[2]
    say("ready")
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var number = 0
          while true {
            number += 1
            await write("\(name)-\(worker)-\(number)", to: service)
          }
        }
      }
    }
  }

  /// Stores an entry once, and prints whether it is stored.
  private static func write(_ key: String, to service: PostgresService) async {
    do {
      try await service.write { try $0.execute("INSERT INTO entry (key) VALUES (\(key))") }
      say("stored \(key)")
    } catch let error as PersistenceError {
      say("\(error.kind == .outcomeUnknown ? "unknown" : "failed") \(key)")
    } catch {
      say("failed \(key)")
    }
  }

  /// Prints a line in one system call, so a kill leaves no part of a line.
  private static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
