import CausewayTesting
import TestSupport
import Testing

@testable import CausewayData

/// A store under many orders of its steps and those of its backing, and under planted failures that
/// have to be found.
@MainActor
@Suite("Interleavings of the store", .oneAtATime, .timeLimit(.minutes(10)))
struct StoreExploration {
  private typealias Action = StoreScript.Action

  /// Explores a script, and then lets the store save what is left.
  private func explore(
    _ script: [Action], trials: Int, in world: @escaping @MainActor () -> StoreWorld
  ) async {
    await exploreInterleavings(
      in: world, of: { StoreScript(world: $0) }, trials: trials,
      options: ExplorationOptions(search: .uniform)
    ) {
      model, world in
      for action in script { await model.send(action) }
      for _ in 0..<3 {
        // A task of the main actor that waits for another one of it is no effect, and takes turns
        // that the exploration does not count.
        for _ in 0..<3 { await model.settle() }
        world.clock.advance(by: .seconds(60))
      }
      for _ in 0..<3 { await model.settle() }
    } check: { _, world in
      world.finish(isSettled: true)
      #expect(world.problems == [])
    }
  }

  /// Explores a store that is not the real one, with a script that can be made shorter.
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

  /// What may happen to a store at the same time.
  private nonisolated static let scripts: [[Action]] = [
    // Changes around the first load, which fails once.
    [.failLoad, .set(1), .remove(2), .flush, .wait, .set(3), .set(1), .reload, .flush, .remove(3)],
    // Changes while saves run, fail, and fail although they have stored everything.
    [
      .set(1), .flush, .set(1), .failSave(.before), .flush, .remove(1), .set(2), .flush, .set(1),
      .failSave(.after), .wait, .set(2), .flush, .wait,
    ],
    // A removal of everything, also of what is not known yet.
    [.removeAll, .set(1), .flush, .reload, .removeAll, .failLoad, .flush, .set(2), .wait, .flush],
    // A close that may fail, and another one, with changes that may come too late.
    [
      .set(1), .wait, .set(2), .failSave(.before), .close, .set(3), .reload, .removeAll, .close,
      .set(4), .flush, .wait,
    ],
  ]

  @Test(arguments: scripts.indices)
  func `no change is lost, reverted or restored after its removal`(index: Int) async {
    await explore(Self.scripts[index], trials: 80) { StoreWorld() }
  }

  /// What may happen to a store around the end of a session.
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
    await explore(Self.sessions[index], trials: 80) { StoreWorld() }
  }

  // MARK: Planted failures

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
    await explore(nil, Self.script(for: mistake), trials: 50)
  }
}
