import Causeway

/// A feature whose effects replace each other.
struct Search: Interactor {
  struct State: Sendable {
    var count = 0
  }

  enum Action: Sendable {
    case debounce
    case debounceNamed
    case latest
    case stop
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .debounce:
        return .perform(.debounce(for: .seconds(60))) { send in await send { $0.count += 1 } }
      case .debounceNamed:
        return .perform(.debounce(for: .seconds(60)), id: "named") { send in
          await send { $0.count += 1 }
        }
      case .latest: return .perform(.latest, id: "latest") { send in await send { $0.count += 1 } }
      case .stop: return .merge(.cancel("named"), .cancel("latest"))
      }
    }
  }
}

extension Bench {
  /// Requests that come faster than their effects can run.
  mutating func measurePolicies() async {
    let model = ViewModel(Search())
    let tally = Tally()
    for (name, action) in [("", Search.Action.debounce), (" with a name", .debounceNamed)] {
      await measure(
        "a debounced send\(name), of a burst", target: "<= 1.5 x floor", operations: 10_000
      ) {
        await tally.startTasks($0)
      } work: {
        for index in 0..<$0 {
          model.send(action)
          if index & 15 == 0 { await Task.yield() }
        }
      }
    }
    model.send(.stop)
    await measureLatest(model, tally, isYielding: false)
    await measureLatest(model, tally, isYielding: true)
  }

  /// Measures effects that replace each other.
  ///
  /// In a burst, the main actor is busy until the last request. With a yield after each request,
  /// some effects run before they are replaced, and most of the time is spent on thread switches.
  ///
  /// The burst misses its target. The tasks of the floor end without a hop. An effect that has
  /// begun on another thread hops to the main actor, and the next effect needs a new task.
  private mutating func measureLatest(
    _ model: ViewModel<Search.State, Search.Action>, _ tally: Tally, isYielding: Bool
  ) async {
    await measure(
      isYielding
        ? "an effect under .latest, with a yield after each" : "an effect of a burst under .latest",
      target: "<= 1.3 x floor", operations: 10_000
    ) {
      var task: Task<Void, Never>?
      for _ in 0..<$0 {
        task?.cancel()
        task = Task { @concurrent in
          if !Task.isCancelled { await tally.add(1) }
        }
        if isYielding { await Task.yield() }
      }
      await task?.value
    } work: {
      var task: ActionTask?
      for _ in 0..<$0 {
        task = model.send(.latest)
        if isYielding { await Task.yield() }
      }
      await task?.finish()
    }
  }
}
