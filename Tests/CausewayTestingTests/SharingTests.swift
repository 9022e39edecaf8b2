import Causeway
import CausewayTesting
import TestSupport
import Testing

/// Enumerations of effects that share only the state.
@MainActor
@Suite("Promises about sharing")
struct SharingTests {
  @Test(arguments: [false, true], 1...3)
  func `three effects that share only the state are complete within a hundred orders`(
    isShared: Bool, suspensions: Int
  ) async {
    let (states, result) = await everyOrder(
      of: { FieldLoader(isShared: isShared, suspensions: suspensions) }, [0, 1, 2], sharing: .state)
    #expect(result.isComplete)
    // The documentation gives the number for one suspension.
    #expect(suspensions == 1 ? result.trials == 34 : result.trials <= 100)
    #expect(states.count == (isShared ? 6 : 1))
  }

  /// The effects and requests whose order may count.
  private struct Busy: Interactor {
    enum Action: Sendable, Hashable {
      case latest(Int), serial(Int), first(Int), cancel, twice(Int), reader(Int), sequence
      case failing, replacing
      case done(Int)
    }

    struct Failure: Error {}

    var body: some Interactor<[Int], Action> {
      Interact(initialValue: []) { (state: inout [Int], action: Action) in
        switch action {
        case .done(let number):
          state.append(number)
          return .state
        case .latest(let number):
          return .perform(.latest, id: "one") { send in
            await send { $0.append(number) }
            await send(.done(number + 1))
          }
        case .serial(let number):
          return .perform(.serial, id: "queue") { send in
            await send { $0.append(number) }
          }
        case .first(let number):
          return .perform(.first, id: "one") { send in
            await suspensionPoint()
            await send { $0.append(number) }
          }
        case .cancel:
          state.append(-1)
          return .cancel("one")
        case .twice(let number):
          return .merge(
            .perform { send in await send(.done(number)) },
            .perform { send in
              await suspensionPoint()
              await send { $0.append(number + 1) }
            })
        case .reader(let number):
          return .observe { currentState, send in
            let count = await currentState.current.count
            await suspensionPoint()
            await send { $0.append(number + count) }
          }
        case .sequence:
          return .sequence(
            .perform(id: "one") { send in await send { $0.append(70) } },
            .perform { send in await send { $0.append(71) } })
        case .failing:
          return .perform { _ in
            await suspensionPoint()
            throw Failure()
          } catch: { state, _ in
            state.append(80)
          }
        case .replacing:
          return .perform { send in
            await send(.latest(90))
          }
        }
      }
    }
  }

  private nonisolated static let pairs: [[Busy.Action]] = [
    [.latest(10), .latest(20)], [.latest(10), .cancel], [.serial(10), .serial(20), .serial(30)],
    [.first(10), .first(20)], [.first(10), .replacing], [.twice(10)],
    [.reader(10), .latest(20)], [.reader(10), .reader(40)], [.sequence, .cancel],
    [.sequence, .latest(20)], [.failing, .reader(10)], [.replacing, .cancel],
    [.replacing, .first(10)], [.latest(10), .done(5), .first(20)],
    [.serial(10), .done(1), .cancel],
  ]

  @Test(arguments: runsWholeSizes ? pairs : Array(pairs.prefix(5)))
  private func `a promise about sharing loses no result`(_ actions: [Busy.Action]) async {
    let script = TrialScript(actions)
    let (every, all) = await everyOrder(of: { Busy() }, script, sharing: .anything)
    let (fewer, reduced) = await everyOrder(of: { Busy() }, script, sharing: .state)
    print("\(actions): \(reduced.trials) of \(all.trials) orders, \(every.count) results")
    #expect(all.isComplete && reduced.isComplete)
    #expect(every == fewer)
    #expect(reduced.trials <= all.trials)
  }

  @Test func `objects with names are still tried in both orders`() async {
    struct Named: Interactor {
      let seen: Log<Int>
      var body: some Interactor<Int, Int> {
        Interact(initialValue: 0) { (_: inout Int, number: Int) in
          .perform(id: "\(number)") { [seen] send in
            await suspensionPoint(touching: "server")
            seen.append(number)
            await send { $0 += 1 }
          }
        }
      }
    }
    let orders = Log<[Int]>()
    let result = await exploreInterleavings(
      in: { Log<Int>() }, of: { Named(seen: $0) }, script: [1, 2], trials: 10_000,
      options: .everyOrder(sharing: .state)
    ) { _, seen in orders.append(seen.all) }
    #expect(result.isComplete)
    #expect(Set(orders.all) == [[1, 2], [2, 1]])
  }

  @Test func `a failing order is repeated for its report`() async throws {
    var options = ExplorationOptions.everyOrder(sharing: .state)
    options.reporter = FailureReporter { _, _ in }
    let result = await exploreInterleavings(
      in: {}, of: { FieldLoader(isShared: true, suspensions: 1) }, script: [0, 1, 2],
      options: options
    ) { state, _ in
      // The last of the three runs second.
      if state[0] == (1 * 3 + 3) * 3 + 2 { throw Busy.Failure() }
    }
    let failure = try #require(result.failure)
    #expect(!failure.reason.contains("passed when it was repeated"))
    #expect(failure.steps.contains { $0.contains("the test sends 2") })
  }

  @Test func `a result at a limit states the orders that were not tried`() async {
    let result = await exploreInterleavings(
      of: FieldLoader(isShared: true, suspensions: 2), script: [0, 1, 2], trials: 20,
      options: .everyOrder
    ) { _ in }
    #expect(!result.isComplete)
    #expect("\(result)".contains("orders were tried, and at least"))
  }
}
