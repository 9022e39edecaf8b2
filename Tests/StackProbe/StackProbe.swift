import Causeway
import Observation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Runs one scenario with a state of 50 kB and prints the result.
///
/// It is a separate program, so a test can start it with a small stack for all its threads.
@main
struct StackProbe {
  static func main() async {
    var limit = rlimit()
    #if canImport(Darwin)
      getrlimit(RLIMIT_STACK, &limit)
    #else
      getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    #endif
    print("stack \(limit.rlim_cur) state \(MemoryLayout<BigState>.size)")
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let scenario = Scenario(rawValue: name) else {
      print("no scenario \(name)")
      exit(2)
    }
    print("count \(await scenario.run())")
  }
}

/// The scenarios, each in its own function, which keeps their stack frames separate.
enum Scenario: String {
  case send, observed, effects, derived, steps, scoped, optional

  @MainActor
  func run() async -> Int {
    switch self {
    case .send: send()
    case .observed: observed()
    case .effects: await effects()
    case .derived: derived()
    case .steps: steps()
    case .scoped: await scoped()
    case .optional: await optional()
    }
  }

  @MainActor
  private func send() -> Int {
    let model = ViewModel(Counter())
    for _ in 0..<5 { model.send(.add) }
    return model.count
  }

  @MainActor
  private func observed() -> Int {
    let model = ViewModel(Counter())
    for _ in 0..<5 {
      withObservationTracking {
        _ = model.count
      } onChange: {
      }
      model.send(.add)
    }
    return model.count
  }

  @MainActor
  private func effects() async -> Int {
    let model = ViewModel(Counter())
    await model.send(.addByEffect).finish()
    return model.count
  }

  @MainActor
  private func derived() -> Int {
    let model = ViewModel(Counter(), reducer: { (state: BigState) in state.count })
    for _ in 0..<5 { model.send(.add) }
    return model.viewState
  }

  @MainActor
  private func steps() -> Int {
    let model = ViewModel(Counter(), observer: StepObserver { _ in })
    for _ in 0..<5 { model.send(.add) }
    return model.count
  }

  @MainActor
  private func scoped() async -> Int {
    let model = ViewModel(ScopedParent())
    model.send(.add)
    await model.send(.addByEffect).finish()
    return model.count - 1
  }

  @MainActor
  private func optional() async -> Int {
    let model = ViewModel(OptionalParent())
    model.send(.present)
    model.send(.sheet(.add))
    await model.send(.sheet(.addByEffect)).finish()
    return model.count - 1
  }
}

struct Problem: Error {}

struct Counter: Interactor {
  enum Action: Sendable { case add, addByEffect }

  var body: some Interactor<BigState, Action> {
    Interact<BigState, Action>(initialValue: BigState()) { state, action in
      switch action {
      case .add:
        state.count += 1
        return .state
      case .addByEffect:
        return .perform { send in
          for _ in 0..<3 { await send { $0.count += 1 } }
          await send(.add)
          throw Problem()
        } catch: { state, _ in
          state.count += 1
        }
      }
    }
  }
}

struct ScopedParent: Interactor {
  struct State: Sendable {
    var child = BigState()
    /// The probe reads this value, because the child would be copied into the probe's stack frame.
    var count: Int { child.count }
  }

  var body: some Interactor<State, Counter.Action> {
    Interact<State, Counter.Action>(initialValue: State()) { _, _ in .state }
      .scope(state: \.child, action: { $0 }, embed: { $0 }) { Counter() }
  }
}

struct OptionalParent: Interactor {
  struct State: Sendable {
    var sheet: BigState?
    /// The probe reads this value, because the sheet would be copied into the probe's stack frame.
    var count: Int { sheet?.count ?? 0 }
  }

  enum Action: Sendable {
    case present
    case sheet(Counter.Action)

    var sheet: Counter.Action? { if case .sheet(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      if case .present = action { state.sheet = BigState() }
      return .state
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Counter() }
  }
}
