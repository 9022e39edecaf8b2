import CausewayData
import CausewaySQLite
import Foundation

/// Uses a store in another process, which a test can kill, stop or starve.
@main
struct StoreProbe {
  static let migrations = [
    Migration("create pair", "CREATE TABLE pair (id INTEGER PRIMARY KEY, filler TEXT NOT NULL)")
  ]

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let scenario = Scenario(rawValue: arguments[1]) else {
      say("use: StoreProbe write|hold|limit PATH")
      exit(64)
    }
    let service = try await SQLiteService(path: arguments[2], migrations: migrations)
    switch scenario {
    case .write: try await write(service)
    case .hold: try await hold(service)
    case .limit: try await limit(service)
    }
  }

  enum Scenario: String {
    case write, hold, limit
  }

  /// Writes pairs until the process ends, and prints each stored pair.
  static func write(_ service: SQLiteService) async throws {
    var id =
      try await service.read { try $0.row("SELECT max(id) FROM pair", as: Int?.self) ?? nil } ?? 0
    while true {
      id += 1
      try await service.addPair(id)
      say("\(id)")
    }
  }

  /// Holds the lock of a transaction until its input ends.
  static func hold(_ service: SQLiteService) async throws {
    try await service.write { transaction in
      try transaction.execute("INSERT INTO pair VALUES (1000000, 'held')")
      say("held")
      while readLine() != nil {}
    }
    say("done")
  }

  /// Writes until the file size limit is reached, then removes the limit and continues.
  static func limit(_ service: SQLiteService) async throws {
    signal(SIGXFSZ, SIG_IGN)
    setFileSizeLimit(200_000)
    var stored: [Int] = []
    for id in 1...200 {
      do {
        try await service.addPair(id)
        stored.append(id)
      } catch let error as PersistenceError {
        say("failed \(error.kind)")
        break
      }
    }
    say("stored \(stored.count)")
    try await report(service)
    setFileSizeLimit(rlim_t.max)
    try await service.addPair(1_000)
    try await report(service)
    try await service.close()
  }

  static func report(_ service: SQLiteService) async throws {
    let count = try await service.read { try $0.row("SELECT count(*) FROM pair", as: Int.self) }
    say("rows \(count ?? -1)")
  }

  static func setFileSizeLimit(_ bytes: rlim_t) {
    #if canImport(Darwin)
      let resource = RLIMIT_FSIZE
    #else
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    // This sets only the soft limit, so the program can raise it again.
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(resource, &limit)
  }
}

extension SQLiteService {
  func addPair(_ id: Int) async throws {
    let filler = String(repeating: "f", count: 100 + id % 7 * 600)
    try await write { transaction in
      try transaction.execute("INSERT INTO pair VALUES (\(id), \(filler))")
      try transaction.execute("INSERT INTO pair VALUES (\(-id), \(filler))")
    }
  }
}

/// Writes a line and flushes it before the next step.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
