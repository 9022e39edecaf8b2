import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("Enumeration and seeds")
struct EnumerationTests {
  /// Effects that append their numbers: odd numbers twice, even numbers once.
  private struct Appender: Interactor {
    var body: some Interactor<[Int], Int> {
      Interact(initialValue: []) { (_: inout [Int], number: Int) in
        .perform(id: "append") { send in
          await send { $0.append(number) }
          if number % 2 == 1 { await send { $0.append(number) } }
        }
      }
    }
  }

  private func orders(everyOrder: Bool, trials: Int) async -> (Set<[Int]>, ExplorationResult) {
    let log = Log<[Int]>()
    let result = await exploreInterleavings(
      of: Appender(), script: [1, 2], trials: trials,
      options: ExplorationOptions(search: everyOrder ? .everyOrder : .mixed)
    ) { state in
      log.append(state)
    }
    return (Set(log.all), result)
  }

  /// All possible orders of the two effects.
  private let all: Set<[Int]> = [[1, 1, 2], [1, 2, 1], [2, 1, 1]]

  @Test func `an enumeration reaches every order and then ends`() async {
    let (orders, result) = await orders(everyOrder: true, trials: 100_000)
    #expect(orders == all)
    #expect(result.isComplete)
    print("enumeration: \(result.trials) trials")
  }

  @Test func `sampling also reaches every order`() async {
    let (orders, result) = await orders(everyOrder: false, trials: 1_000)
    #expect(orders == all)
    #expect(result.trials == 1_000)
  }

  /// The steps of all drafts, in their order.
  private final class Drafts: Sendable {
    let log = Log<String>()
    func open(_ name: String) { log.append("open \(name)") }
    func save(_ name: String) { log.append("save \(name)") }
  }

  // snippet
  private struct Editors: Interactor {
    let drafts: Drafts

    var body: some Interactor<[String], String> {
      Interact(initialValue: []) { (_: inout [String], name: String) in
        .perform(id: name) { [drafts] send in
          await suspensionPoint(touching: name)  // only this draft is used until the next one
          drafts.open(name)
          await suspensionPoint(touching: name)
          drafts.save(name)
          await send { $0.append(name) }
        }
      }
    }
  }
  // end

  /// The same effects, whose steps share one object.
  private struct SharingEditors: Interactor {
    let drafts: Drafts

    var body: some Interactor<[String], String> {
      Interact(initialValue: []) { (_: inout [String], name: String) in
        .perform(id: name) { [drafts] send in
          await suspensionPoint(touching: "drafts")
          drafts.open(name)
          await suspensionPoint(touching: "drafts")
          drafts.save(name)
          await send { $0.append(name) }
        }
      }
    }
  }

  /// The number of tried orders, their results, and the orders of the steps.
  private func orders<Editor: Interactor<[String], String>>(
    _ make: @escaping @MainActor (Drafts) -> Editor
  ) async -> (trials: Int, results: Set<[String]>, steps: Set<[String]>) {
    let (results, steps) = (Log<[String]>(), Log<[String]>())
    let result = await exploreInterleavings(
      in: { Drafts() }, of: make, script: ["a", "b"], trials: 10_000, options: .everyOrder
    ) { state, drafts in
      results.append(state)
      steps.append(drafts.log.all)
    }
    #expect(result.isComplete)
    return (result.trials, Set(results.all), Set(steps.all))
  }

  @Test func `independent steps are tried in one order, with the same results`() async {
    let own = await orders { Editors(drafts: $0) }
    let shared = await orders { SharingEditors(drafts: $0) }
    print("\(own.trials) of \(shared.trials) orders; \(own.steps.count) of \(shared.steps.count)")
    #expect(own.results == [["a", "b"], ["b", "a"]])
    #expect(own.results == shared.results)
    // All orders of the steps on a shared object: 4! / (2! · 2!).
    #expect(shared.steps.count == 6)
    #expect(own.steps.count < 6)
    #expect(own.trials * 2 < shared.trials)
  }

  @Test func `a limit ends an enumeration early`() async {
    let (_, result) = await orders(everyOrder: true, trials: 10)
    #expect(result.trials == 10)
    #expect(!result.isComplete)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an endless effect does not keep a test running past its time limit`() async {
    let isStarted = Gate()
    let endless = Interact(initialValue: 0) { (_: inout Int, _: Bool) in
      .perform { _ in
        isStarted.open()
        while !Task.isCancelled { await suspensionPoint() }
      }
    }
    let test = Task {
      await exploreInterleavings(
        of: endless, script: [true, true], trials: 1,
        options: ExplorationOptions(
          search: .everyOrder, stepLimit: .max, reporter: FailureReporter { _, _ in })
      ) { _ in }
    }
    await isStarted.wait()
    test.cancel()
    #expect(await test.value.failure?.reason.contains("was cancelled") == true)
  }

  @Test func `the largest seed can be used`() async {
    let result = await exploreInterleavings(of: Appender(), script: [1, 2], options: .seed(.max)) {
      _ in
    }
    #expect(result.trials == 1)
  }

  @Test func `each of 200 uniform seeds gives the same result when it is repeated`() async {
    func states(_ seed: UInt64) async -> [[Int]] {
      let log = Log<[Int]>()
      await exploreInterleavings(
        of: Appender(), options: ExplorationOptions(search: .uniform, seed: seed)
      ) { model in
        for number in 0..<15 {
          await model.send(number)
          log.append(model.state)
        }
        await model.settle()
        log.append(model.state)
      } check: { _ in
      }
      return log.all
    }
    var distinct: Set<[[Int]]> = []
    for seed in 0..<UInt64(200) {
      let first = await states(seed)
      #expect(await states(seed) == first)
      distinct.insert(first)
    }
    #expect(distinct.count == 200)
  }
}
