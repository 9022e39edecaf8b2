import CSQLite
import CausewayData
import CausewaySQLite
import Testing

/// A failure of one system call.
private struct Fault: Sendable, CustomStringConvertible {
  let name: String
  let calls: FaultLayer.Calls
  let code: Int32
  let kinds: Set<PersistenceError.Kind>
  var torn = false

  var description: String { name }

  static let all = [
    Fault(name: "the disk is full", calls: .write, code: SQLITE_FULL, kinds: [.full], torn: true),
    Fault(
      name: "a write fails", calls: .write, code: SQLITE_IOERR | 3 << 8, kinds: [.inputOutput],
      torn: true),
    Fault(
      name: "a sync fails", calls: .sync, code: SQLITE_IOERR | 4 << 8, kinds: [.inputOutput]),
    Fault(
      name: "cutting a file fails", calls: .truncate, code: SQLITE_IOERR | 6 << 8,
      kinds: [.inputOutput]),
    Fault(
      name: "a read fails", calls: .read, code: SQLITE_IOERR | 1 << 8, kinds: [.inputOutput]),
    Fault(
      name: "shared memory cannot grow", calls: .share, code: SQLITE_IOERR | 19 << 8,
      kinds: [.inputOutput]),
    Fault(
      name: "a size is not known", calls: .size, code: SQLITE_IOERR | 7 << 8,
      kinds: [.inputOutput]),
    Fault(
      name: "a file cannot be opened", calls: .open, code: SQLITE_CANTOPEN, kinds: [.cannotOpen]),
    Fault(
      name: "a file cannot be removed", calls: .delete, code: SQLITE_IOERR | 10 << 8,
      kinds: [.inputOutput]),
  ]
}

/// A fixed workload of writes, reads and checkpoints, and the service's results.
private struct Workload {
  static let migrations = [
    Migration("create pair", "CREATE TABLE pair (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
    Migration("index pair", "CREATE INDEX pair_text ON pair (text)"),
  ]

  struct Pair: Codable, Equatable, Sendable {
    var id: Int
    var text: String
  }

  let path: String
  let fault: Fault
  var configuration = SQLiteConfiguration()
  /// The rows that were acknowledged.
  var stored: [Int: String] = [:]
  /// The rows if the last failed write was stored nevertheless.
  var uncertain: [Int: String]?

  init(_ directory: TemporaryDirectory, _ layer: FaultLayer, _ fault: Fault) {
    path = directory.file
    self.fault = fault
    configuration.vfs = layer.name
    configuration.readers = 2
    configuration.checkpointPages = 6
    configuration.foreignCommitInterval = nil
  }

  func open() async throws -> SQLiteService {
    try await SQLiteService(
      path: path, migrations: Self.migrations, configuration: configuration)
  }

  /// Runs the whole workload, and continues after failures of the expected kinds.
  mutating func run() async throws {
    guard let service = try await attempt({ try await open() }) else { return }
    for id in 1...10 {
      let text = String(repeating: "\(id) ", count: 40 * (id % 4 + 1))
      let result: Void? = try await attempt {
        try await service.write { transaction in
          try transaction.insert(
            [Pair(id: id, text: text), Pair(id: -id, text: text)], into: "pair")
          try transaction.execute("DELETE FROM pair WHERE abs(id) = \(id - 4)")
        }
      }
      var changed = stored
      (changed[id], changed[-id]) = (text, text)
      if id > 4 { (changed[id - 4], changed[4 - id]) = (nil, nil) }
      if result != nil {
        (stored, uncertain) = (changed, nil)
      } else if fault.calls == .sync {
        // The transaction is complete in the log, but may not have reached the disk. Until the next
        // commit replaces it, a process that opens the file finds it.
        uncertain = changed
      }
      let found = try await attempt { try await rows(of: service) }
      if let found {
        let isExact = found == stored
        #expect(isExact, "\(fault), after \(id)")
      }
    }
    try await attempt { try await service.close() }
  }

  /// Compares ids first, because the texts are long.
  func expectStored(_ found: [Int: String], _ place: String) {
    let expected = uncertain == found ? found : stored
    #expect(found.keys.sorted() == expected.keys.sorted(), "\(fault), \(place)")
    let isEqual = found == expected
    #expect(isEqual, "\(fault), \(place)")
  }

  /// The stored rows.
  func rows(of service: SQLiteService) async throws -> [Int: String] {
    let pairs = try await service.read { try $0.rows("SELECT * FROM pair", as: Pair.self) }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0.id, $0.text) })
  }

  @discardableResult
  private func attempt<T>(_ operation: () async throws -> T) async throws -> T? {
    do {
      return try await operation()
    } catch let error as PersistenceError where fault.kinds.contains(error.kind) {
      return nil
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
  /// Fails each call of the workload in turn, once or permanently.
  @Test(arguments: Fault.all, [false, true])
  private func `After a failure of any system call the error is typed and committed data is kept`(
    _ fault: Fault, _ lasts: Bool
  ) async throws {
    let calls = try await count(of: fault)
    #expect(calls > 0)
    var failed = 0
    for nth in 1...max(calls, 1) {
      let directory = try TemporaryDirectory(isFast: true)
      let layer = try FaultLayer(directory)
      var workload = Workload(directory, layer, fault)
      layer.arm(fault.calls, nth: nth, code: fault.code, lasts: lasts, torn: fault.torn)
      try await workload.run()
      failed += layer.failures
      layer.disarm()
      // Without faults the file is intact and contains exactly the acknowledged rows.
      let service = try await workload.open()
      try await service.checkIntegrity()
      workload.expectStored(try await workload.rows(of: service), "call \(nth)")
      try await service.close()
    }
    #expect(failed >= calls)
  }

  /// The same service continues when the fault is gone.
  @Test(arguments: Fault.all)
  private func `A service recovers on its own`(_ fault: Fault) async throws {
    let directory = try TemporaryDirectory(isFast: true)
    let layer = try FaultLayer(directory)
    let workload = Workload(directory, layer, fault)
    let service = try await workload.open()
    var expected: [Int: String] = [:]
    for nth in 1...30 {
      layer.arm(fault.calls, nth: nth % 7 + 1, code: fault.code, lasts: true, torn: fault.torn)
      for id in [nth * 10, nth * 10 + 1] {
        let result: Void? = try? await service.write {
          try $0.insert(Workload.Pair(id: id, text: "during"), into: "pair")
        }
        if result != nil { expected[id] = "during" }
        _ = try? await workload.rows(of: service)
      }
      layer.disarm()
      #expect(try await workload.rows(of: service) == expected, "round \(nth)")
      try await service.write {
        try $0.insert(Workload.Pair(id: nth * 10 + 2, text: "after"), into: "pair")
      }
      expected[nth * 10 + 2] = "after"
      #expect(try await workload.rows(of: service) == expected, "round \(nth)")
    }
    try await service.checkIntegrity()
    try await service.close()
  }

  @Test func `A live query fails with the fault, and a new live query works`() async throws {
    let directory = try TemporaryDirectory(isFast: true)
    let layer = try FaultLayer(directory)
    let fault = Fault.all[4]
    let service = try await Workload(directory, layer, fault).open()
    var versions = service.observe("SELECT id FROM pair", as: Int.self).makeAsyncIterator()
    layer.arm(fault.calls, nth: 1, code: fault.code, lasts: true)
    let error = await #expect(throws: PersistenceError.self) { try await versions.next() }
    #expect(error?.kind == .inputOutput)
    layer.disarm()
    var again = service.observe("SELECT id FROM pair", as: Int.self).makeAsyncIterator()
    #expect(try await again.next() == [])
    try await service.close()
  }

  private func count(of fault: Fault) async throws -> Int {
    let directory = try TemporaryDirectory(isFast: true)
    let layer = try FaultLayer(directory)
    var workload = Workload(directory, layer, fault)
    layer.arm(fault.calls, nth: 0, code: SQLITE_OK)
    try await workload.run()
    #expect(workload.stored.count == 8)
    return layer.count
  }
}
