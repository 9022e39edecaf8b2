import Causeway
import CausewayData
import CausewayTesting
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

/// The objects of one trial.
private struct World {
  let truth = Truth()
  let pump = Pump()
  let disk: SlowDisk?
  let cache: ResourceCache<Int, Page>?
  let pages: any Pages

  /// A cache with a disk, or without one.
  ///
  /// - Parameters:
  ///   - hasSession: Whether a session signs accounts in and out.
  ///   - participates: Whether the cache has a session gate. Otherwise it is only emptied.
  init(_ disk: SlowDisk?, hasSession: Bool = false, participates: Bool = true) {
    self.disk = disk
    var policy = ResourcePolicy.plain
    policy.parallelLoads = 2
    let onDisk = disk.map { disk in
      ResourceDisk<Int, Page>(
        disk as any ResourceStore, name: { "\($0)" },
        encode: { [UInt8($0.account), UInt8($0.version)] },
        decode: { Page(account: Int($0[0]), version: Int($0[1])) })
    }
    let cache = ResourceCache<Int, Page>(
      policy: policy, disk: onDisk, size: { _ in 16 },
      surroundings: Surroundings(
        clock: ManualClock(), date: { Date(timeIntervalSince1970: 1) }),
      executor: pump, isTransient: { _ in false },
      reportDiskFailure: { _, _ in }
    ) { [truth] _, _ in .value(await truth.load()) }
    self.cache = cache
    guard hasSession else {
      pages = CachedPages(cache: cache)
      return
    }
    let session = SessionService(account: "1")
    session.add(
      participates
        ? cache.participant
        : SessionParticipant("without a gate") { wipe in
          if case .only = wipe { try await cache.removeAll() }
        })
    pages = SessionPages(cache: cache, session: session, truth: truth)
  }

  /// A cache with a typical mistake.
  init(naive: Void) {
    disk = nil
    cache = nil
    pages = NaivePages(truth, pump)
  }

  func pagesOnDisk() -> [Page] {
    (disk?.contents ?? [:]).values.map {
      Page(account: Int($0.bytes[0]), version: Int($0.bytes[1]))
    }
  }
}

@MainActor
@Suite("Interleavings of the cache", .oneAtATime, .timeLimit(.minutes(10))) struct InterleavingTests
{
  private let failures = Log<String>()

  private var silent: FailureReporter {
    FailureReporter { [failures] message, _ in failures.append(message) }
  }

  private func explore(
    _ script: [Library.Action], in makeWorld: @escaping @MainActor () -> World,
    reporter: FailureReporter? = nil,
    check: @escaping @MainActor (Library.State, World, [Page]) throws -> Void
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: makeWorld,
      of: { Library(truth: $0.truth, pages: $0.pages, pump: $0.pump) },
      trials: reporter == nil ? scaled(300) : 300,
      options: ExplorationOptions(reporter: reporter ?? .automatic)
    ) { model, _ in
      await model.send(.pump)
      // A load takes about ten steps. With a few scheduling points, an action comes before, during
      // or after it about equally often.
      for action in script {
        await model.send(action)
        for _ in 0..<3 { await model.send(.pass) }
      }
    } check: { state, world in
      try check(state, world, world.remaining())
      if let cache = world.cache { #expect(cache.isQuiet) }
    }
  }

  private nonisolated static let worlds: [String] = ["memory", "disk"]

  private func world(_ name: String) -> World {
    name == "naive" ? World(naive: ()) : World(name == "disk" ? SlowDisk() : nil)
  }

  private let refreshes: [Library.Action] = [
    .read(1), .changeAndRefresh(1), .read(1), .changeAndRefresh(1), .read(2), .read(1),
  ]

  private func expectLatest(_ state: Library.State, _ world: World, _ left: [Page]) {
    #expect(left.first == world.truth.now)
    #expect(world.pagesOnDisk().filter { $0.version > world.truth.now.version }.isEmpty)
  }

  @Test(arguments: worlds)
  func `an older response never replaces the response to a refresh`(name: String) async {
    let result = await explore(refreshes, in: { world(name) }, check: expectLatest)
    #expect(result.failure == nil)
  }

  @Test func `the search detects a cache whose refresh joins an older load`() async {
    let result = await explore(
      refreshes, in: { world("naive") }, reporter: silent, check: expectLatest)
    #expect(result.failure != nil)
  }

  private let logOut: [Library.Action] = [.read(1), .read(2), .read(1), .logOut, .read(2)]

  private func expectNothingOld(_ state: Library.State, _ world: World, _ left: [Page]) {
    let account = world.truth.now.account
    #expect(left.allSatisfy { $0.account == account })
    #expect(world.pagesOnDisk().allSatisfy { $0.account == account })
  }

  @Test(arguments: worlds)
  func `after everything was removed no value of the previous account returns`(name: String) async {
    let result = await explore(logOut, in: { world(name) }, check: expectNothingOld)
    #expect(result.failure == nil)
  }

  private let sessions: [Library.Action] = [
    .read(1), .read(2), .logOut, .read(2), .read(1), .read(3), .read(2),
  ]

  @Test(arguments: worlds)
  func `no value of a session is visible in the next one`(name: String) async {
    let result = await explore(
      sessions, in: { World(name == "disk" ? SlowDisk() : nil, hasSession: true) },
      check: expectNothingOld)
    #expect(result.failure == nil)
  }

  @Test func `the search detects a cache that a session only empties at its end`() async {
    let result = await explore(
      sessions, in: { World(nil, hasSession: true, participates: false) }, reporter: silent,
      check: expectNothingOld)
    #expect(result.failure != nil)
  }

  @Test func `the search detects a cache that forgets running loads`() async {
    let result = await explore(
      logOut, in: { world("naive") }, reporter: silent, check: expectNothingOld)
    #expect(result.failure != nil)
  }

  @Test func `the search detects a disk store that writes removed values`() async {
    let result = await explore(
      logOut, in: { World(SlowDisk(asksBeforeWriting: false)) }, reporter: silent,
      check: expectNothingOld)
    #expect(result.failure != nil)
  }

  private let removals: [Library.Action] = [.read(1), .read(1), .remove(1), .read(2)]

  private func expectRemoved(_ state: Library.State, _ world: World, _ left: [Page]) {
    // Each removal changes the server's value, so a value requested earlier has an older version.
    let version = world.truth.now.version
    #expect(left.first.map { $0.version == version } ?? true)
    let disk = world.disk?.contents["1"]
    #expect(disk.map { Int($0.bytes[1]) == version } ?? true)
  }

  @Test(arguments: worlds)
  func `a removed key is not restored by running loads`(name: String) async {
    let result = await explore(removals, in: { world(name) }, check: expectRemoved)
    #expect(result.failure == nil)
  }

  @Test func `the search detects a cache whose removal forgets running loads`() async {
    let result = await explore(
      removals, in: { world("naive") }, reporter: silent, check: expectRemoved)
    #expect(result.failure != nil)
  }

  @Test(arguments: worlds)
  func `when other callers cancel, the remaining caller gets its value`(name: String) async {
    let script: [Library.Action] = [
      .look(1), .look(1), .read(2), .look(2), .look(1), .look(3), .look(1),
    ]
    let result = await explore(script, in: { world(name) }) { state, world, _ in
      #expect(state.looked == world.truth.now)
    }
    #expect(result.failure == nil)
  }

  @Test(arguments: worlds)
  func `after a mix of all operations no caller waits and no old value remains`(name: String)
    async
  {
    let script: [Library.Action] = [
      .read(1), .look(1), .changeAndRefresh(1), .look(2), .remove(1), .read(1), .logOut, .read(3),
      .look(1), .changeAndRefresh(2), .logOut, .read(2), .look(3),
    ]
    let result = await explore(script, in: { world(name) }, check: expectNothingOld)
    #expect(result.failure == nil)
  }
}

extension World {
  /// The values in memory, starting with the first key's.
  @MainActor
  fileprivate func remaining() -> [Page] {
    if let cache { return (1...3).compactMap { cache.cached($0) } }
    return (pages as? NaivePages)?.snapshot ?? []
  }
}
