import CausewayData
import CausewaySQLite
import CausewaySimulation

/// Programs that store a number in one function, with a bug that only a crash inside of it shows.
enum DiskProgram: String, CaseIterable, Sendable {
  /// A file is replaced before its bytes are synchronised.
  case replacesWithoutSync
  /// A file is synchronised after its name is changed.
  case synchronizesAfterRename
  /// A record of a log is read although it is torn.
  case readsTornRecord
  /// Two files that must agree are replaced one after the other.
  case splitsFiles
  /// The receipt of a command is stored in a second transaction.
  case storesReceiptLater

  @discardableResult
  func simulate(_ seeds: Range<UInt64>, hasBug: Bool) throws -> SimulationSummary {
    try CausewaySimulation.simulate(
      seeds: seeds, for: .seconds(60), settling: .seconds(10), shrinks: 0
    ) { world in
      // The last number whose store has returned.
      let stored = Counter()
      let node = world.node("program") { node -> any NumberStore in
        let store: any NumberStore =
          switch self {
          case .replacesWithoutSync, .synchronizesAfterRename:
            ReplacedFile(node: node, bug: hasBug ? self : nil)
          case .readsTornRecord: RecordFile(node: node, checksRecords: !hasBug)
          case .splitsFiles: TwoFiles(node: node, areTogether: !hasBug)
          case .storesReceiptLater: try await Commands(node, storesReceiptLater: hasBug)
          }
        // The disk is checked after each crash. Later stores would hide a damage.
        try await Self.check(world, store, stored.value)
        return store
      }
      let down: ClosedRange<Duration> = .zero ... .milliseconds(100)
      world.faults = [
        .powerLoss(of: [node.id], every: .seconds(6), down: down),
        .crashes(of: [node.id], every: .seconds(12), down: down),
      ]
      world.script(on: [node], actions: 40, pause: .zero ... .seconds(3)) { store, _ in
        let next = stored.value + 1
        try await store.store(next)
        stored.increase()
      }
      return (node, stored)
    } check: { world, parts in
      guard let store = parts.0.root else { throw CancellationError() }
      try await Self.check(world, store, parts.1.value)
    }
  }

  private static func check(_ world: World, _ store: any NumberStore, _ count: Int) async throws {
    let last = try await store.last
    try world.require(last == count || last == count + 1, "The disk has \(last) of \(count)")
  }
}

/// A program that stores numbers in ascending order; a number can be stored again.
protocol NumberStore: Sendable {
  func store(_ number: Int) async throws
  /// The last number; -1 if the contents are damaged.
  var last: Int { get async throws }
}

/// The bytes of a number, which fill several sectors.
private func record(_ number: Int) -> [UInt8] {
  Array(repeating: Array("\(number)".utf8) + [0x20], count: 400).flatMap(\.self)
}

/// Returns the number that some bytes store; -1 if they do not store exactly one number.
private func number(_ bytes: some Collection<UInt8>) -> Int {
  let digits = bytes.prefix { $0 != 0x20 }
  guard let number = Int(String(decoding: digits, as: UTF8.self)),
    bytes.elementsEqual(record(number))
  else { return -1 }
  return number
}

extension FileSystem {
  fileprivate func replace(_ name: String, with bytes: [UInt8], of node: NodeContext) throws {
    let path = node.path(name)
    try? remove(path + ".new")
    try replace(path, in: directory(of: path), with: bytes, by: path + ".new")
  }
}

private struct ReplacedFile: NumberStore {
  let node: NodeContext
  let bug: DiskProgram?

  func store(_ number: Int) throws {
    let (files, path) = (node.files, node.path("number"))
    let new = path + ".new"
    try files.remove(new)
    let file = try files.create(new)
    try files.write(record(number), to: file)
    if bug == nil { try files.synchronize(file) }
    try files.rename(new, to: path)
    if bug == .synchronizesAfterRename { try files.synchronize(file) }
    try files.synchronizeDirectory(files.directory(of: path))
    try files.close(file)
  }

  var last: Int {
    get throws { try node.files.read(node.path("number")).map { number($0) } ?? 0 }
  }
}

private struct RecordFile: NumberStore {
  let node: NodeContext
  let checksRecords: Bool

  func store(_ number: Int) throws {
    let (files, path) = (node.files, node.path("log"))
    let known = try files.read(path) ?? []
    let records = try self.records
    let size = records.reduce(0) { $0 + record($1).count }
    let handle = try files.openForAppending(path)?.0 ?? files.create(path)
    // The process that created the file may have ended before it synchronised the name.
    try files.synchronizeDirectory(files.directory(of: path))
    // A program that does not check its records does not notice a torn one either.
    if checksRecords, size < known.count { try files.truncate(handle, to: size) }
    try files.write(record(number), to: handle)
    try files.synchronize(handle)
    try files.close(handle)
  }

  /// The numbers of the records, up to the first that is damaged.
  private var records: [Int] {
    get throws {
      var rest = (try node.files.read(node.path("log")) ?? [])[...]
      var numbers: [Int] = []
      while let next = Int(String(decoding: rest.prefix { $0 != 0x20 }, as: UTF8.self)) {
        let bytes = rest.prefix(record(next).count)
        if checksRecords, !bytes.elementsEqual(record(next)) { break }
        numbers.append(bytes.elementsEqual(record(next)) ? next : -1)
        rest = rest.dropFirst(bytes.count)
      }
      return numbers
    }
  }

  var last: Int {
    get throws {
      let numbers = try records
      return numbers.contains(-1) ? -1 : numbers.last ?? 0
    }
  }
}

private struct TwoFiles: NumberStore {
  let node: NodeContext
  let areTogether: Bool

  func store(_ number: Int) throws {
    if areTogether { return try node.files.replace("both", with: record(number), of: node) }
    try node.files.replace("left", with: record(number), of: node)
    try node.files.replace("right", with: record(number), of: node)
  }

  var last: Int {
    get throws {
      func read(_ name: String) throws -> Int {
        try node.files.read(node.path(name)).map { number($0) } ?? 0
      }
      if areTogether { return try read("both") }
      let (left, right) = (try read("left"), try read("right"))
      return left == right ? left : -1
    }
  }
}

/// Commands that must be performed once, although the script repeats those that were interrupted.
private struct Commands: NumberStore {
  private let database: SQLiteService
  private let storesReceiptLater: Bool

  init(_ node: NodeContext, storesReceiptLater: Bool) async throws {
    self.storesReceiptLater = storesReceiptLater
    database = try await node.database(
      "commands.db",
      migrations: [
        Migration(
          "commands",
          """
          CREATE TABLE effect (number INTEGER NOT NULL);
          CREATE TABLE receipt (number INTEGER PRIMARY KEY);
          """)
      ])
  }

  func store(_ number: Int) async throws {
    let isNew = try await database.write { transaction in
      let known = try transaction.row(
        "SELECT number FROM receipt WHERE number = \(number)", as: Int.self)
      if known != nil { return false }
      try transaction.execute("INSERT INTO effect VALUES (\(number))")
      if !storesReceiptLater { try transaction.execute("INSERT INTO receipt VALUES (\(number))") }
      return true
    }
    if isNew, storesReceiptLater {
      try await database.write { try $0.execute("INSERT INTO receipt VALUES (\(number))") }
    }
  }

  var last: Int {
    get async throws {
      try await database.read { transaction in
        let numbers = try transaction.rows("SELECT number FROM effect", as: Int.self)
        return Set(numbers).count == numbers.count ? numbers.max() ?? 0 : -1
      }
    }
  }
}
