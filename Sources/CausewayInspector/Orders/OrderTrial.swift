import Causeway

/// One order of the items of a window, carried out by a second view model.
///
/// The feature's own runtime decides which answers still count: a policy or a cancellation ends an
/// effect, and then its answers are left out. The effects do no work.
@MainActor
final class OrderTrial<State: Sendable, Action: Sendable> {
  typealias Fork = @MainActor (State, StepObserver<State, Action>?) -> AnyObject
  typealias Item = OrderWindow<State, Action>.Item

  /// A step of the trial, for a test.
  struct TriedStep: Sendable {
    let cause: Step<State, Action>.Cause
    /// The number of the effect in the session.
    let effect: Int?
    let origin: Int
    let before, after: KeptState<State>
  }

  private let window: OrderWindow<State, Action>
  private let rehearsal = EffectRehearsal()
  /// Receives each action before its handler, which could end the program.
  private let begin: @MainActor (Action) -> Void
  /// The numbers of effects: in the session by those of the trial, and the reverse.
  private var sessionNumbers: [Int: Int] = [:]
  private var ownNumbers: [Int: Int] = [:]
  /// The effects that began in the present turn.
  private var begun: [EffectEvent] = []
  private var present: KeptState<State>

  /// The items in the order of the trial.
  private(set) var order: [String] = []
  /// The number of possible items at each choice.
  private(set) var choices: [Int] = []
  private(set) var steps: [TriedStep] = []
  private(set) var errors: [String] = []
  /// The effects for which the session has no answer.
  private(set) var unanswered: [String] = []
  var end: KeptState<State> { present }

  init(
    _ window: OrderWindow<State, Action>, begin: @escaping @MainActor (Action) -> Void
  ) {
    (self.window, self.begin) = (window, begin)
    present = window.base
  }

  /// Carries out the items.
  ///
  /// - Parameter moves: For some of the choices, which of the possible items comes first. The others
  ///   take the item that was the first in the session.
  func run(_ fork: Fork, moves: [Int: Int]) {
    let model = fork(window.base.value, observer)
    withExtendedLifetime(model) {
      guard let runtime = RehearsedRuntime<State, Action>(rehearsal) else { return }
      for event in window.inFlight { request(event, runtime) }
      var queues = Queues(window.items)
      while true {
        let ready = queues.ready { number in
          ownNumbers[number].map { runtime.isRunning($0) } ?? false
        }
        guard let first = ready.first else { break }
        var place = 0
        if window.items[first].isMovable {
          place = min(moves[choices.count] ?? 0, ready.count - 1)
          choices.append(ready.count)
        }
        let index = ready[place]
        queues.take(index, window.items[index].effect)
        perform(window.items[index], runtime)
      }
    }
  }

  private func perform(_ item: Item, _ runtime: RehearsedRuntime<State, Action>) {
    if item.isMovable { order.append(item.label) }
    begun = []
    let own = item.effect.flatMap { ownNumbers[$0] } ?? 0
    switch item.work {
    case .send(let action): runtime.send(action)
    case .answer(let action, _): runtime.send(action, from: own)
    case .change(let change, _, let isFailure):
      runtime.apply(change, from: own, isFailure: isFailure)
      for action in item.followUps { runtime.send(action) }
      for event in item.requested { request(event, runtime) }
    case .end: break
    }
    if case .change = item.work {} else { match(item, runtime) }
    if item.endsEffect || item.isEnd { runtime.end(own) }
  }

  /// Requests an effect that no handler of the trial requests.
  private func request(_ event: EffectEvent, _ runtime: RehearsedRuntime<State, Action>) {
    begun = []
    runtime.request(event)
    if let own = begun.last { pair(own, event, runtime) }
  }

  /// Finds the effects of the session that the effects of this turn stand for.
  private func match(_ item: Item, _ runtime: RehearsedRuntime<State, Action>) {
    var requested = item.requested
    for own in begun {
      let here = requested.firstIndex { $0.id == own.id && $0.place == own.place }
      if let here {
        pair(own, requested.remove(at: here), runtime)
      } else if let other = window.items.flatMap({ $0.requested }).first(where: {
        $0.id == own.id && $0.place == own.place && ownNumbers[$0.number] == nil
      }) {
        pair(own, other, runtime)
      } else {
        unanswered.append("\(own.id)")
      }
    }
  }

  private func pair(
    _ own: EffectEvent, _ event: EffectEvent, _ runtime: RehearsedRuntime<State, Action>
  ) {
    sessionNumbers[own.number] = event.number
    ownNumbers[event.number] = own.number
    if window.dropped.contains(event.number) { runtime.end(own.number) }
  }

  private var observer: StepObserver<State, Action> {
    StepObserver(
      steps: { [weak self] in self?.add($0) },
      effects: { [weak self] event in if event.kind == .began { self?.begun.append(event) } },
      beginnings: { [begin] action, _, _ in if let action { begin(action) } },
      watch: RuntimeWatch(
        effectRan: { _, _ in },
        reported: { [weak self] error, _ in self?.errors.append("\(error)") },
        rehearsal: rehearsal))
  }

  private func add(_ step: BriefStep<State, Action>) {
    let after = KeptState(step.state.pointee)
    steps.append(
      TriedStep(
        cause: step.cause, effect: step.effectNumber.flatMap { sessionNumbers[$0] },
        origin: step.origin, before: present, after: after))
    present = after
  }
}

extension OrderTrial {
  /// The items that wait: the actions from outside in their order, and the answers of each effect.
  private struct Queues {
    /// The indices of the items; the key is the number of the effect, and `nil` for outside.
    private var waiting: [Int?: ArraySlice<Int>] = [:]

    init(_ items: [Item]) {
      var all: [Int?: [Int]] = [:]
      for (index, item) in items.enumerated() { all[item.effect, default: []].append(index) }
      waiting = all.mapValues { $0[...] }
    }

    /// The items that can come next, in the order of the session.
    func ready(_ isRunning: (Int) -> Bool) -> [Int] {
      waiting.compactMap { effect, items in
        effect.map(isRunning) ?? true ? items.first : nil
      }.sorted()
    }

    mutating func take(_ index: Int, _ effect: Int?) {
      waiting[effect]?.removeFirst()
    }
  }
}

extension OrderWindow.Item {
  fileprivate var isEnd: Bool { if case .end = work { true } else { false } }
}
