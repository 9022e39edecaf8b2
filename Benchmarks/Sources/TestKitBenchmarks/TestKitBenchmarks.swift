import Causeway
import CausewayTesting

/// A counter that adds a number immediately or in an effect.
private struct Counter: Interactor {
  enum Action: Sendable { case add, addLater }

  struct State: Sendable, Equatable {
    var count = 0
    var name = ""
  }

  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add:
        state.count += 1
        return .state
      case .addLater:
        return .perform { send in await send { $0.count += 1 } }
      }
    }
  }
}

/// Measures the time of a test: trials of an exploration, and sends of a test model.
@main
@MainActor
struct TestKitBenchmarks {
  static func main() async {
    var failures = 0
    let reporter = FailureReporter { message, _ in print(message) }
    let trials = await seconds {
      let result = await exploreInterleavings(
        of: Counter(), options: ExplorationOptions(reporter: reporter)
      ) { model in
        for _ in 0..<15 { await model.send(.addLater) }
      } check: { state in
        if state.count != 15 { throw Wrong() }
      }
      if result.hasFailed { failures += 1 }
    }
    print("1,000 trials of 15 sends, each with an effect: \(trials) s (target 0.5)")

    let model = TestModel(Counter(), reporter: reporter)
    let plain = await seconds {
      for _ in 0..<10_000 { await model.send(.add) { $0.count += 1 } }
    }
    print("TestModel.send, no effect: \(plain / 10_000 * 1e6) µs (target 20)")
    let withEffect = await seconds {
      for _ in 0..<2_000 {
        await model.send(.addLater)
        await model.expect { $0.count += 1 }
      }
    }
    print("TestModel.send and expect, with an effect: \(withEffect / 2_000 * 1e6) µs")
    await model.finish()
    precondition(failures == 0, "an update was lost")
  }

  private struct Wrong: Error {}

  /// The median time of five runs, in seconds.
  private static func seconds(_ body: () async -> Void) async -> Double {
    var times: [Double] = []
    for _ in 0..<5 {
      let time = await ContinuousClock().measure { await body() }
      times.append(time / .seconds(1))
    }
    return times.sorted()[2]
  }
}
