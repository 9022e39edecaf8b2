import CausewayBasics
import CausewayData
import CausewaySimulation
import Testing

/// A program with a store and a token on its disk.
private struct Program: Sendable {
  let backing: DatabaseBacking<String, Int>
  let tokens: FileTokenStore
  /// The last number whose saves have returned.
  let saved: Counter
  let damages: Counter
  let node: NodeContext

  init(_ node: NodeContext) async throws {
    let damages = node.stored("damages") { Counter() }
    let database = try await node.database(
      "values.db", migrations: [DatabaseBacking<String, Int>.migration(table: "value")])
    backing = DatabaseBacking(database, table: "value") { _ in damages.increase() }
    tokens = node.tokenStore("token")
    saved = node.stored("saved") { Counter() }
    self.damages = damages
    self.node = node
  }
}

/// A program with the files of a cache on its disk.
private struct CacheProgram: Sendable {
  let files: DiskStore
  let damages: Counter

  init(_ node: NodeContext) {
    let damages = node.stored("damages") { Counter() }
    files = node.diskStore("cache", bytes: 1 << 20) { _ in damages.increase() }
    self.damages = damages
  }
}

@Suite struct FileDiskTests {
  @Test(arguments: [nil, DiskFault.full, .failing, .readOnly])
  func `a store and a token survive power failures`(fault: DiskFault?) throws {
    let summary = try simulate(seeds: 0..<25, for: .seconds(120), settling: .seconds(1)) { world in
      let node = world.node("program") { try await Program($0) }
      world.faults = [
        .powerLoss(of: [node.id], every: .seconds(3), down: .zero ... .milliseconds(10))
      ]
      if let fault {
        world.faults.append(
          .disk(fault, of: [node.id], every: .seconds(5), lasting: .zero ... .seconds(3)))
      }
      world.script(
        on: [node], actions: 60, pause: .zero ... .seconds(2), expectsErrors: true
      ) { program, _ in
        let next = program.saved.value + 1
        try await program.backing.save(StoreChanges(updated: ["last": next, "\(next)": next]))
        try program.tokens.save(AuthToken(access: "\(next)"))
        // A save ignores errors of its last operation, which may be a crash.
        if program.node.isRunning { program.saved.increase() }
      }
      return node
    } check: { world, node in
      guard let program = node.root else { throw CancellationError() }
      let (values, saved) = (try await program.backing.load(), program.saved.value)
      let last = values["last"] ?? 0
      try world.require(last == saved || last == saved + 1, "\(last) after \(saved) saves")
      for number in stride(from: 1, through: saved, by: 1) {
        try world.require(values["\(number)"] == number, "\(number) is lost")
      }
      let token = try program.tokens.load().flatMap { Int($0.access) } ?? 0
      try world.require(token == saved || token == saved + 1, "token \(token) after \(saved)")
      try world.require(program.damages.value == 0, "\(program.damages.value) damages")
    }
    #expect(summary.crashes > 300)
  }

  @Test func `a cache with wrong bytes reports a damage and returns no wrong value`() throws {
    let damaged = Counter()
    try simulate(seeds: 0..<40, for: .seconds(120), settling: .seconds(1), shrinks: 0) { world in
      let node = world.node("program") { CacheProgram($0) }
      world.faults = [
        .crashes(of: [node.id], every: .seconds(10), down: .zero ... .milliseconds(10)),
        .bitRot(of: [node.id], every: .seconds(30)),
      ]
      world.script(on: [node], actions: 40, pause: .zero ... .seconds(3)) { program, random in
        let number = Int.random(in: 0..<1_000, using: &random)
        let resource = StoredResource(
          bytes: Array("\(number)".utf8), validator: nil, loadedAt: 0)
        try await program.files.write(resource, for: "\(number)", if: { true })
      }
      return node
    } check: { world, node in
      guard let program = node.root else { throw CancellationError() }
      for number in 0..<1_000 {
        guard let bytes = try await program.files.read("\(number)")?.bytes else { continue }
        let value = String(decoding: bytes, as: UTF8.self)
        try world.require(value == "\(number)", "\(number) has the value \(value)")
      }
      if program.damages.value > 0 { damaged.increase() }
    }
    #expect(damaged.value > 5)
  }

  @Test func `a stray write changes another sector of its file`() throws {
    let sector = 512
    let strayed = Counter()
    try simulate(seeds: 0..<20, for: .seconds(120), settling: .seconds(1), shrinks: 0) { world in
      let node = world.node("program") { $0 }
      world.faults = [.strayWrites(of: [node.id], every: .seconds(30))]
      world.script(on: [node], actions: 40, pause: .zero ... .seconds(3)) { node, _ in
        let (files, path) = (node.files, node.path("log"))
        // Each sector has its own number.
        let number = UInt8((try files.read(path)?.count ?? 0) / sector)
        let file = try files.openForAppending(path)?.0 ?? files.create(path)
        try files.write([UInt8](repeating: number, count: sector), to: file)
        try files.close(file)
      }
      return node
    } check: { world, node in
      guard let node = node.root, let bytes = try node.files.read(node.path("log")) else {
        throw CancellationError()
      }
      let isWrong = stride(from: 0, to: bytes.count, by: sector).contains {
        bytes[$0] != UInt8($0 / sector)
      }
      if isWrong { strayed.increase() }
    }
    #expect(strayed.value > 5)
  }

  /// A program that stores a file in a new directory.
  private func store(
    seeds: Range<UInt64>,
    _ createDirectory: @escaping @Sendable (any FileSystem, String) throws -> Void
  ) throws {
    try simulate(seeds: seeds, for: .seconds(20), shrinks: 0) { world in
      let node = world.node("program") { (node: $0, saved: $0.stored("saved") { Counter() }) }
      world.faults = [
        .powerLoss(of: [node.id], every: .seconds(3), down: .zero ... .milliseconds(10))
      ]
      world.script(on: [node], actions: 10, pause: .zero ... .seconds(2)) { root, _ in
        let (files, folder) = (root.node.files, root.node.path("a/b/\(root.saved.value)"))
        try createDirectory(files, folder)
        // A power failure may have left the temporary file.
        try files.remove("\(folder)/new")
        try files.replace("\(folder)/file", in: folder, with: [1], by: "\(folder)/new")
        root.saved.increase()
      }
      return node
    } check: { world, node in
      guard let root = node.root else { throw CancellationError() }
      for number in 0..<root.saved.value {
        let bytes = try root.node.files.read(root.node.path("a/b/\(number)/file"))
        try world.require(bytes == [1], "File \(number) is lost")
      }
    }
  }

  @Test func `a new directory survives a power failure only if its parents are synchronised`()
    throws
  {
    try store(seeds: 0..<20) { try $0.createDurableDirectory($1) }
    let failure = #expect(throws: SimulationFailure.self) {
      try store(seeds: 0..<200) { try $0.createDirectory($1) }
    }
    #expect(failure?.reason.contains("is lost") == true)
  }
}
