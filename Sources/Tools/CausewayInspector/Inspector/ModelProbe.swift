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
  /// The state after the last step; `nil` before the first one.
  private var present: KeptState<State>?
  private nonisolated let differences = StateDifferences<State>()
  /// The numbers of the effects that were requested and have not ended.
  private nonisolated let running = Mutex<Set<Int>>([])
  /// The data that all events of the model need, as one reference.
  private var label: ModelLabel {
    didSet { sharedLabel.withLock { $0 = label } }
  }
  /// The same, for the threads of effects.
  private nonisolated let sharedLabel: Mutex<ModelLabel>

  nonisolated init(
    _ queue: EventQueue, _ models: InspectedModels?, _ name: String, _ rules: RedactionRules,
    _ fork: Fork?, _ page: OpenedPage? = OpenedPage.current
  ) {
    self.page = page
    self.queue = queue
    self.models = models
    wantedName = name
    let label = ModelLabel(name, rules)
    self.label = label
    sharedLabel = Mutex(label)
    self.rules = rules
    makeFork = fork
  }

  var name: String { label.name }
  var lastStep: Int { history.last }
  var canFork: Bool { makeFork != nil }

  /// Writes the action that the handler is about to receive.
  func begin(_ action: Action?, _ state: UnsafePointer<State>, _ effect: EffectID?) {
    if present == nil { register(KeptState(state.pointee)) }
    if let action { Self.begin(action, effect, label, queue) }
  }

  private static func begin(
    _ action: Action, _ effect: EffectID?, _ label: ModelLabel, _ queue: EventQueue
  ) {
    guard queue.hasRing else { return }
    queue.begin { n, at in
      var reader = ValueReader(label.rules, budget: 200, longest: 2_000)
      let node = reader.action(action)
      return RecordedEvent(
        n: n, at: at, kind: .handling, lane: .actions, model: label.name,
        title: TypeName.action(node), value: reader.text(of: node),
        effect: effect?.description)
    }
  }

  /// Adds a step.
  ///
  /// The state is copied once; the state before the step is the state after the last step.
  func add(_ step: BriefStep<State, Action>) {
    queue.endCurrent()
    let after = KeptState(step.state.pointee)
    let before = present ?? after
    present = after
    let (number, cause, origin) = (step.number, step.cause, step.origin)
    if let chunk = history.append(step, after: before) {
      models?.keep(chunk, of: self)
    }
    queue.add { [label, differences, effectNumber = step.effectNumber] n, at in
      var event = Self.event(of: cause, n, at, effectNumber, label.rules)
      event.model = label.name
      event.step = number
      event.origin = origin
      event.changes = differences.find(from: before, to: after, hiding: label.rules)
      return event
    }
  }

  private nonisolated static func event(
    of cause: Cause, _ n: Int, _ at: Int, _ effectNumber: Int?, _ rules: RedactionRules
  ) -> RecordedEvent {
    func label(_ id: EffectID) -> String { effectNumber.map { id.label($0) } ?? id.description }
    switch cause {
    case .action(let action, let effect):
      var reader = ValueReader(rules, longest: 8_000)
      let node = reader.action(action)
      return RecordedEvent(
        n: n, at: at, kind: .action, lane: .actions, title: TypeName.action(node),
        value: reader.text(of: node), effect: effect.map(label))
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
    history.append(event)
    running.withLock {
      if kind == .requested { $0.insert(event.number) } else { $0.remove(event.number) }
    }
    queue.add { [label] n, at in
      let effect = event.id.label(event.number)
      return RecordedEvent(
        n: n, at: at, kind: kind, lane: .effects, model: label.name, title: "\(effect) \(kind)",
        value: kind == .requested ? "at \(event.place)" : nil, effect: effect, step: event.step)
    }
  }

  /// Adds the beginning of an effect's work, on the effect's thread.
  private nonisolated func addBeginning(of id: EffectID, _ number: Int) {
    let name = sharedLabel.withLock { $0 }.name
    // The effect may have been cancelled in the meantime. The event is added under the lock, so the
    // end of the effect is always the later event.
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
      let text = ErrorText(error, from: number, hiding: rules)
      return RecordedEvent(
        n: n, at: at, kind: .error, lane: .effects, model: name, title: text.title,
        value: text.value, effect: text.effect, step: step)
    }
  }

  /// Adds the model to its inspector, with the state before its first step.
  private func register(_ state: KeptState<State>) {
    if present != nil { return }
    present = state
    label = ModelLabel(models?.add(self, as: wantedName) ?? wantedName, rules)
    // The handler of the first action may end the program, and a recording needs its model.
    queue.addAtOnce { [label] n, at in
      var reader = ValueReader(label.rules)
      return RecordedEvent(
        n: n, at: at, kind: .model, lane: .actions, model: label.name, title: Self.feature,
        value: reader.state(state.value).expression.shortened(to: 16_000), step: 0)
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
    guard let state = history.states(at: step)?.after else { return nil }
    return fork(with: state, "\(name), from step \(step)")
  }

  private func fork(with state: State, _ name: String) -> AnyObject? {
    guard let makeFork else { return nil }
    let fork = ModelProbe(queue, models, name, rules, makeFork, page)
    fork.register(KeptState(state))
    let model = makeFork(state, fork.observer)
    models?.forks.append(model)
    return model
  }

  func otherOrders(from step: Int) async throws -> OrderReport? {
    guard let makeFork,
      let window = history.window(around: step, name: { Self.title(of: $0, $1, hiding: rules) }),
      let recorded = history.states(at: window.end)?.after
    else { return nil }
    let (name, beginning) = ("\(name), other order", window.beginning)
    return try await OrderSearch(
      window: window, recorded: KeptState(recorded), rules: rules, fork: makeFork,
      begin: { [queue, label] in Self.begin($0, nil, label.with(name), queue) },
      end: { [queue] in queue.endCurrent() },
      goOn: { [weak self] in self?.fork(with: $0, "\(name) from step \(step)") },
      event: { [label] step, number in
        var event = Self.event(of: step.cause, number, 0, step.effect, label.rules)
        event.model = label.name
        event.step = number
        event.origin = step.origin + beginning
        event.changes = ChangeFinder.changes(
          from: step.before.value, to: step.after.value, hiding: label.rules)
        return event
      }
    ).run()
  }

  /// A short name of the cause of a step.
  private nonisolated static func title(
    of cause: Cause, _ effectNumber: Int?, hiding rules: RedactionRules
  ) -> String {
    let event = event(of: cause, 0, 0, effectNumber, rules)
    let title = event.value?.shortened(to: 80) ?? event.title
    return event.kind == .action ? event.effect.map { "\(title) from \($0)" } ?? title : title
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
      steps: { self.add($0) }, effects: { self.add($0) }, beginnings: { self.begin($0, $1, $2) },
      watch: RuntimeWatch(
        effectRan: { self.addBeginning(of: $0, $1) }, reported: { self.add($0, from: $1) }))
  }
}

/// The name and the rules of a model.
private final class ModelLabel: Sendable {
  let name: String
  let rules: RedactionRules

  init(_ name: String, _ rules: RedactionRules) {
    (self.name, self.rules) = (name, rules)
  }

  func with(_ name: String) -> ModelLabel { ModelLabel(name, rules) }
}
