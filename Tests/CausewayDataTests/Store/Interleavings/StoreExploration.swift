import CausewayData
import CausewayTesting
import TestSupport
import Testing

@testable import CausewayStores

/// Explores a store in many orders of its steps and its backing's steps, and with planted faults
/// that the search must detect.
@MainActor
@Suite("Interleavings of the store", .oneAtATime, .timeLimit(.minutes(10)))
struct StoreExploration {
  private typealias Action = StoreScript.Action

  /// Explores a script, and then lets the store save the remaining changes.
  private func explore(
    _ script: [Action], trials: Int, in world: @escaping @MainActor () -> StoreWorld
  ) async {
    await exploreInterleavings(
      in: world, of: { StoreScript(world: $0) }, trials: trials
    ) { model, world in
      for action in script { await model.send(action) }
      for _ in 0..<3 {
        // A main-actor task that awaits another one is not an effect, and takes turns that the
        // exploration does not count.
        for _ in 0..<3 { await model.settle() }
        world.clock.advance(by: .seconds(60))
      }
      for _ in 0..<3 { await model.settle() }
    } check: { _, world in
      world.finish(isSettled: true)
      #expect(world.problems == [])
    }
  }

  /// Explores a replacement store with a script that can be shortened.
  @discardableResult
  private func explore(
    _ mistake: PlainStore.Mistake?, _ script: [Action], trials: Int
  ) async -> ExplorationResult {
    await exploreInterleavings(
      in: { StoreWorld { PlainStore($0, mistake, onRefusal: $1) } },
      of: { StoreScript(world: $0) }, script: TrialScript(script), trials: trials
    ) { _, world in
      world.finish(isSettled: false)
      #expect(world.problems == [])
    }
  }

  /// The concurrent operations on a store.
  private nonisolated static let scripts: [[Action]] = [
    // Changes around the first load, which fails once.
    [.failLoad, .set(1), .remove(2), .flush, .wait, .set(3), .set(1), .reload, .flush, .remove(3)],
    // Changes during saves that succeed, fail, or fail after storing everything.
    [
      .set(1), .flush, .set(1), .failSave(.before), .flush, .remove(1), .set(2), .flush, .set(1),
      .failSave(.after), .wait, .set(2), .flush, .wait,
    ],
    // A removal of everything, including values that are not loaded yet.
    [.removeAll, .set(1), .flush, .reload, .removeAll, .failLoad, .flush, .set(2), .wait, .flush],
    // A close that may fail, and another close, with changes that may come too late.
    [
      .set(1), .wait, .set(2), .failSave(.before), .close, .set(3), .reload, .removeAll, .close,
      .set(4), .flush, .wait,
    ],
  ]

  @Test(arguments: scripts.indices)
  func `no change is lost, reverted or restored after its removal`(index: Int) async {
    await explore(Self.scripts[index], trials: scaled(80)) { StoreWorld() }
  }

  /// The operations around the end of a session.
  private nonisolated static let sessions: [[Action]] = [
    [.set(1), .setWithTicket(3), .logOut, .set(2), .setWithTicket(4), .flush, .reload],
    [
      .set(1), .flush, .setWithTicket(2), .signIn("bob"), .set(1), .setWithTicket(3), .reload,
      .set(2), .flush, .wait,
    ],
    [
      .failSave(.before), .set(3), .logOut, .wait, .set(1), .failLoad, .signIn("ada"), .set(2),
      .signIn("bob"), .set(1), .flush, .wait,
    ],
    [.set(3), .close, .logOut, .set(1), .flush],
  ]

  @Test(arguments: sessions.indices)
  func `a session leaves no values to the next one, in memory or in the backing`(index: Int) async {
    await explore(Self.sessions[index], trials: scaled(80)) { StoreWorld() }
  }

  // MARK: Planted faults

  private static func script(for mistake: PlainStore.Mistake) -> [Action] {
    switch mistake {
    case .takesWhateverIsLoaded: [.set(3), .set(1), .flush]
    case .bringsBackWhatWasRemoved: [.set(3), .remove(1), .flush]
    case .forgetsChangesDuringSaves: [.set(1), .flush, .set(2), .set(1)]
    case .forgetsWhatCouldNotBeSaved: [.set(1), .failSave(.before), .flush, .set(1)]
    case .savesBesideEachOther: [.set(1), .flush, .set(1), .flush]
    case .joinsTheSaveThatRuns: [.set(1), .flush, .set(1), .flush, .set(2)]
    case .closesWithoutWaiting: [.set(1), .flush, .close]
    case .letsChangesInAfterTheEnd: [.set(1), .logOut, .set(2), .set(3)]
    case .leavesTheBackingAsItIs: [.set(3), .flush, .logOut]
    }
  }

  @Test(arguments: PlainStore.Mistake.allCases)
  func `the search detects a faulty store and shrinks the script`(
    mistake: PlainStore.Mistake
  ) async throws {
    let script = Self.script(for: mistake)
    var result: ExplorationResult?
    await withKnownIssue("planted") {
      result = await explore(mistake, script, trials: 200)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("The order of steps") }
    }
    let lengths = try #require(result?.failure?.scriptLengths)
    #expect(lengths.shrunk < lengths.original)
  }

  @Test(arguments: PlainStore.Mistake.allCases)
  func `the correct store passes the same script`(
    mistake: PlainStore.Mistake
  ) async {
    await explore(nil, Self.script(for: mistake), trials: scaled(50))
  }
}
