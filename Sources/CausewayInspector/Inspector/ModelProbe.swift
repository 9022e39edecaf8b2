import Causeway
import CausewayWeb
import Synchronization

/// Receives the steps and effects of one model.
///
/// On the main actor it only copies references; values are rendered by the queue.
@MainActor
final class ModelProbe<State: Sendable, Action: Sendable>: InspectedModel {
  typealias Fork = @MainActor (State, StepObserver<State, Action>?) -> AnyObject
  private typealias Cause = Step<State, Action>.Cause

  private let queue: EventQueue
  /// The list of the inspector, which keeps this probe.
  private weak var models: InspectedModels?
  private let wantedName: String
  private let rules: RedactionRules
  private let makeFork: Fork?
  let page: OpenedPage?
  private let history = ModelHistory<State, Action>()
  private var isKnown = false
  /// The numbers of the effects that were requested and have not ended.
  private nonisolated let running = Mutex<Set<Int>>([])
  /// Any thread reads the name of the model.
  private nonisolated let knownName: Mutex<String>
  private(set) var name: String {
    get { knownName.withLock { $0 } }
    set { knownName.withLock { $0 = newValue } }
  }

  nonisolated init(
    _ queue: EventQueue, _ models: InspectedModels?, _ name: String, _ rules: RedactionRules,
    _ fork: Fork?, _ page: OpenedPage? = OpenedPage.current
  ) {
    self.page = page
    self.queue = queue
    self.models = models
    wantedName = name
    knownName = Mutex(name)
    self.rules = rules
    makeFork = fork
  }

  var lastStep: Int { history.last }
  var canFork: Bool { makeFork != nil }

  /// Writes the action that the handler is about to receive.
  func begin(_ action: Action, _ state: UnsafePointer<State>, _ effect: EffectID?) {
    if !isKnown { register(state.pointee) }
    let (name, rules) = (name, rules)
    queue.begin { n, at in
      var reader = ValueReader(rules, budget: 200)
      let node = reader.action(action)
      return RecordedEvent(
        n: n, at: at, kind: .handling, lane: .actions, model: name,
        title: TypeName.action(node), value: node.expression.shortened(to: 2_000),
        effect: effect?.description)
    }
  }

  /// Adds a step.
  func add(_ step: Step<State, Action>, _ change: @escaping ModelHistory<State, Action>.Change) {
    queue.endCurrent()
    register(step.before)
    if let chunk = history.append(step, change) { models?.keep(chunk, of: self) }
    let (name, rules) = (name, rules)
    queue.add { n, at in
      var event = Self.event(of: step.cause, n, at, step.effectNumber, rules)
      event.model = name
      event.step = step.number
      event.origin = step.origin
      event.changes = ChangeFinder.changes(from: step.before, to: step.after, hiding: rules)
      return event
    }
  }

  private nonisolated static func event(
    of cause: Cause, _ n: Int, _ at: Int, _ effectNumber: Int?, _ rules: RedactionRules
  ) -> RecordedEvent {
    func label(_ id: EffectID) -> String { effectNumber.map { id.label($0) } ?? id.description }
    switch cause {
    case .action(let action, let effect):
      var reader = ValueReader(rules)
      let node = reader.action(action)
      return RecordedEvent(
        n: n, at: at, kind: .action, lane: .actions, title: TypeName.action(node),
        value: node.expression.shortened(to: 8_000), effect: effect.map(label))
    case .update(let effect):
      return RecordedEvent(
        n: n, at: at, kind: .update, lane: .effects, title: "update from \(label(effect))",
        effect: label(effect))
    case .failure(let effect):
      return RecordedEvent(
        n: n, at: at, kind: .failure, lane: .effects, title: "\(label(effect)) failed",
        effect: label(effect))
    }
  }

  /// Adds the request or the end of an effect.
  func add(_ event: EffectEvent) {
    let kind: RecordedEvent.Kind
    switch event.kind {
    case .began: kind = .requested
    case .ended: kind = .ended
    case .cancelled: kind = .cancelled
    case .readState: return
    }
    running.withLock {
      if kind == .requested { $0.insert(event.number) } else { $0.remove(event.number) }
    }
    let name = name
    queue.add { n, at in
      let label = event.id.label(event.number)
      return RecordedEvent(
        n: n, at: at, kind: kind, lane: .effects, model: name, title: "\(label) \(kind)",
        value: kind == .requested ? "at \(event.place)" : nil, effect: label, step: event.step)
    }
  }

  /// Adds the beginning of an effect's work, on the effect's thread.
  private nonisolated func addBeginning(of id: EffectID, _ number: Int) {
    let name = knownName.withLock { $0 }
    // The effect may have been cancelled in the meantime. The event is added under the lock, so
    // that the end of the effect is the later event.
    running.withLock {
      guard $0.contains(number) else { return }
      queue.add { n, at in
        let label = id.label(number)
        return RecordedEvent(
          n: n, at: at, kind: .began, lane: .effects, model: name, title: "\(label) began",
          effect: label)
      }
    }
  }

  /// Adds an error that the runtime reports.
  private func add(_ error: RuntimeError, from number: Int?) {
    let (name, step, rules) = (name, history.last, rules)
    queue.add { n, at in
      let problem = Mirror(reflecting: error).children.first?.label ?? "error"
      var event = RecordedEvent(
        n: n, at: at, kind: .error, lane: .effects, model: name, title: problem, step: step)
      // The texts of the other cases can contain an action, whose values may be secrets.
      if case .uncaughtError(let thrown, let effect) = error {
        var rules = rules
        rules.texts = .hidden
        var reader = ValueReader(rules, budget: 200)
        let label = number.map { effect.label($0) } ?? effect.description
        event.title = "\(label) threw an error"
        event.value = reader.part(thrown, at: []).expression.shortened(to: 2_000)
        event.effect = label
      }
      return event
    }
  }

  /// Adds the model to its inspector, with the state before its first step.
  private func register(_ state: State) {
    if isKnown { return }
    isKnown = true
    name = models?.add(self, as: wantedName) ?? wantedName
    let (name, rules) = (name, rules)
    // The handler of the first action may end the program, and a recording needs its model.
    queue.addAtOnce { n, at in
      var reader = ValueReader(rules)
      return RecordedEvent(
        n: n, at: at, kind: .model, lane: .actions, model: name, title: Self.feature,
        value: reader.state(state).expression.shortened(to: 16_000), step: 0)
    }
  }

  /// The name of the feature: the type in which the state type is declared.
  nonisolated static var feature: String {
    let name = TypeName.full(State.self)
    return name.hasSuffix(".State") ? String(name.dropLast(".State".count)) : name
  }
}

// Travel.
extension ModelProbe {
  func snapshot(at step: Int) -> StateSnapshot? {
    history.states(at: step).map { snapshot($0.before, $0.after) }
  }

  func snapshot(without step: Int) -> StateSnapshot? {
    guard let present = history.states(at: history.last)?.after,
      let other = history.lastState(without: step)
    else { return nil }
    return snapshot(present, other)
  }

  private func snapshot(_ before: State, _ after: State) -> StateSnapshot {
    let rules = rules
    @Sendable func read(_ state: State) -> ValueNode {
      var reader = ValueReader(rules)
      return reader.state(state)
    }
    return StateSnapshot(before: { read(before) }, after: { read(after) })
  }

  func fork(at step: Int) -> AnyObject? {
    guard let makeFork, let state = history.states(at: step)?.after else { return nil }
    let fork = ModelProbe(queue, models, "\(name), from step \(step)", rules, makeFork, page)
    fork.register(state)
    let model = makeFork(state, fork.observer)
    models?.forks.append(model)
    return model
  }

  func copy(at step: Int) -> AnyObject? {
    guard let makeFork, let state = history.states(at: step)?.after else { return nil }
    return makeFork(state, nil)
  }

  func remove(chunk: Int) {
    history.remove(chunk: chunk)
  }

  /// The observer for the runtime of the model.
  nonisolated var observer: StepObserver<State, Action> {
    StepObserver(
      { _ in }, effects: { self.add($0) }, changes: { self.add($0, $1) },
      beginnings: { self.begin($0, $1, $2) },
      watch: RuntimeWatch(
        effectRan: { self.addBeginning(of: $0, $1) }, reported: { self.add($0, from: $1) }))
  }
}
