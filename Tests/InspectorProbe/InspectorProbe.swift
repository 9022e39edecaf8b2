import Causeway
import CausewayInspector
import Foundation

/// Counts with an inspector whose ring is a file, and kills itself in a handler.
///
/// With a second argument, it kills itself in the first handler. This is a separate program,
/// because nothing may run in the process after the kill.
@main
struct InspectorProbe {
  @MainActor static func main() async throws {
    let inspector = try Inspector(ringFile: CommandLine.arguments[1])
    let counter = ViewModel(Counter(), observer: .inspected(by: inspector))
    if CommandLine.arguments.count == 2 {
      for amount in 1...50 { counter.send(.add(amount)) }
      await inspector.settle()
    }
    counter.send(.crash(reason: "now"))
  }
}

private struct Counter: Interactor {
  struct State: Equatable, Sendable {
    var count = 0
  }

  enum Action: Sendable {
    case add(Int)
    case crash(reason: String)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let amount): state.count += amount
      case .crash: kill(getpid(), SIGKILL)
      }
      return .state
    }
  }
}
