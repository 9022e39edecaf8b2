import Causeway
import CausewayTesting
import TestSupport
import Testing

/// Records the order in which its effects end.
private struct Finisher: Interactor {
  var body: some Interactor<[Int], Int> {
    Interact(initialValue: []) { (_: inout [Int], number: Int) in
      .perform { send in
        await suspensionPoint()
        await send { $0.append(number) }
      }
    }
  }
}

/// Fails when three of its effects end in reverse order.
///
/// Other effects may end in between.
private struct Noisy: Interactor {
  enum Action: Sendable, Equatable { case important(Int), noise }

  var body: some Interactor<[Int], Action> {
    Interact(initialValue: []) { (_: inout [Int], action: Action) in
      .perform { send in
        await suspensionPoint()
        if case .important(let number) = action { await send { $0.append(number) } }
      }
    }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct `Exploration of deep orders` {
  private struct Backwards: Error {}

  private func options(_ search: ExplorationOptions.Search = .mixed) -> ExplorationOptions {
    ExplorationOptions(search: search, reporter: FailureReporter { _, _ in })
  }

  @Test(arguments: [3, 4, 5])
  func `a failure that needs exactly reversed effects is found within 100 trials`(count: Int)
    async throws
  {
    let result = await exploreInterleavings(
      of: Finisher(), script: TrialScript(0..<count), options: options()
    ) { numbers in
      if numbers == Array((0..<count).reversed()) { throw Backwards() }
    }
    print("backwards \(count): trial \(result.trials)")
    #expect(result.failure != nil)
    #expect(result.trials <= 100)
  }

  /// Four effects have 24 orders.
  ///
  /// The guaranteed probability for *d* = 1, with the four effects and the test, is lower.
  @Test func `random priorities reach every order of effects`() async {
    let orders = Log<[Int]>()
    await exploreInterleavings(
      of: Finisher(), script: TrialScript(0..<4), trials: 500, options: options(.priorities)
    ) { orders.append($0) }
    #expect(Set(orders.all).count == 24)
  }

  @Test func `the same seed of priorities gives the same order`() async {
    func orders() async -> [[Int]] {
      let orders = Log<[Int]>()
      await exploreInterleavings(
        of: Finisher(), script: TrialScript(0..<6), trials: 50, options: options(.priorities)
      ) { orders.append($0) }
      return orders.all
    }
    let first = await orders()
    #expect(Set(first).count > 10)
    #expect(await orders() == first)
  }

  @Test(arguments: 0..<8)
  func `a failing script with irrelevant actions is shrunk to the three that fail`(number: Int)
    async throws
  {
    var actions: [Noisy.Action] = Array(repeating: .noise, count: 5)
    var random = SeededRandom(seed: UInt64(number))
    for important in 0..<3 {
      let start = actions.lastIndex(of: .important(important - 1)).map { $0 + 1 } ?? 0
      actions.insert(
        .important(important), at: Int.random(in: start...actions.count, using: &random))
    }
    let result = await exploreInterleavings(
      of: Noisy(), script: TrialScript(actions), trials: 20_000, options: options(.uniform)
    ) { numbers in
      if numbers == [2, 1, 0] { throw Backwards() }
    }
    #expect(result.failure?.scriptLengths?.shrunk == 3)
  }

  @Test func `a check that fails without any action is shrunk to an empty script`() async {
    let result = await exploreInterleavings(
      of: Finisher(), script: [1, 2, 3], options: options()
    ) { numbers in
      if numbers.count < 4 { throw Backwards() }
    }
    #expect(result.failure?.scriptLengths?.shrunk == 0)
  }
}
