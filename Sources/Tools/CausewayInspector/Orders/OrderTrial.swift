import Causeway
import CausewaySystem

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

  /// The largest number of steps of a trial.
  private static var mostSteps: Int { EffectRehearsal.stepLimit }

  private let window: OrderWindow<State, Action>
  private let rules: RedactionRules
  /// Whether the steps are kept.
  private let isKept: Bool
  private let rehearsal = EffectRehearsal()
  /// Receives each action before its handler, because the handler could end the program.
  private let begin: @MainActor (Action) -> Void
  /// The numbers of the effects in the session, by their numbers in the trial.
  private var sessionNumbers: [Int: Int] = [:]
  /// The numbers of the effects in the trial, by their numbers in the session.
  private var ownNumbers: [Int: Int] = [:]
  /// The numbers of the trial's effects that no handler of the trial has requested.
  private var standIns: Set<Int> = []
  /// The effects that began in the present turn.
  private var begun: [EffectEvent] = []
  private var present: KeptState<State>

  /// The items in the order of the trial.
  private(set) var order: [String] = []
  /// The number of possible items at each choice.
  var choices: [Int] { log.choices }
  private var log = ChoiceLog<Int>(repeating: TrialOrder(choices: []))
  private(set) var steps: [TriedStep] = []
  private(set) var stepCount = 0
  /// The number of steps that an action has caused.
  private var actionCount = 0
  /// Whether a part of a sequence is left out, because its handler was called before the window.
  private(set) var isIncomplete = false
  private(set) var errors: [String] = []
  /// The effects for which the session has no answer.
  private(set) var unanswered: [String] = []
  var end: KeptState<State> { present }

  init(
    _ window: OrderWindow<State, Action>, _ rules: RedactionRules, keepsSteps isKept: Bool = false,
    begin: @escaping @MainActor (Action) -> Void
  ) {
    (self.window, self.rules, self.isKept, self.begin) = (window, rules, isKept, begin)
    present = window.base
  }

  /// Carries out the items.
  ///
  /// - Parameter given: The index of the possible item that comes first, for each of the first
  ///   choices. Later choices take the item that was the first in the session.
  func run(_ fork: Fork, choosing given: [Int]) {
    log = ChoiceLog(repeating: TrialOrder(choices: given))
    let model = fork(window.base.value, observer)
    withExtendedLifetime(model) {
      guard let runtime = RehearsedRuntime<State, Action>(rehearsal) else { return }
      var known: Set<EffectID> = []
      for event in window.inFlight {
        let isKnown = !known.insert(event.id).inserted
        request(event, runtime, isApart: isKnown && event.policy?.endsOthers == true)
      }
      var queues = Queues(window.items)
      while true {
        let ready = queues.ready { number in
          ownNumbers[number].map { runtime.isRunning($0) } ?? false
        }
        guard let first = ready.first else { break }
        if stepCount > Self.mostSteps {
          errors.append("The order has more than \(Self.mostSteps) steps.")
          break
        }
        var place = 0
        if window.items[first].isMovable {
          place = log.next(of: ready.count) ?? 0
          log.note(ready.count)
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
    var requested = item.consequences.requested
    switch item.work {
    case .send(let action): runtime.send(action)
    case .answer(let action, _): runtime.send(action, from: own)
    case .change(let change, _, let isFailure):
      runtime.apply(change, from: own, isFailure: isFailure)
      followUp(item.consequences.actions, from: own, runtime)
      match(&requested, runtime)
      // The update itself has requested the remaining effects.
      for event in requested { request(event, runtime, from: own) }
      requested = []
    case .end: break
    }
    // An effect that begins here can stand for an effect that the session began before or after the
    // end of this item's effect. So the search covers both kinds of requests.
    requested += item.sequel.requested
    let actions = actionCount
    if item.endsEffect { runtime.end(own, isFailure: item.isFailure) }
    match(&requested, runtime)
    if standIns.contains(own) {
      let isMissing = !item.sequel.actions.isEmpty && actions == actionCount
      if isMissing || !requested.isEmpty { isIncomplete = true }
    }
  }

  /// Sends the actions that an update has returned, and skips those that a handler has sent again.
  private func followUp(
    _ actions: [Action], from own: Int, _ runtime: RehearsedRuntime<State, Action>
  ) {
    var rest = actions[...]
    while let action = rest.first {
      let before = actionCount
      runtime.followUp(action, from: own)
      rest = rest.dropFirst(max(1, actionCount - before))
    }
  }

  /// Requests an effect that no handler of the trial requests.
  private func request(
    _ event: EffectEvent, _ runtime: RehearsedRuntime<State, Action>, isApart: Bool = false,
    from number: Int? = nil
  ) {
    begun = []
    runtime.request(event, isApart: isApart, from: number)
    guard let own = begun.popLast() else { return }
    standIns.insert(own.number)
    pair(own, event, runtime)
  }

  /// Finds the effects of the session that the effects of this turn stand for, and removes them.
  private func match(
    _ requested: inout [EffectEvent], _ runtime: RehearsedRuntime<State, Action>
  ) {
    // An effect that the session's policy has dropped is ended here, and another may begin.
    while !begun.isEmpty {
      let own = begun.removeFirst()
      let here = requested.firstIndex { $0.id == own.id && $0.place == own.place }
      if let here {
        pair(own, requested.remove(at: here), runtime)
      } else if let other = later(own) {
        pair(own, other, runtime)
      } else {
        unanswered.append("\(own.id)")
      }
    }
  }

  /// The first effect of the session that an effect can stand for.
  private func later(_ own: EffectEvent) -> EffectEvent? {
    window.items.lazy.flatMap { $0.consequences.requested + $0.sequel.requested }.first {
      $0.id == own.id && $0.place == own.place && ownNumbers[$0.number] == nil
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
        reported: { [weak self] error, number in self?.add(error, from: number) },
        rehearsal: rehearsal))
  }

  private func add(_ step: BriefStep<State, Action>) {
    stepCount += 1
    if case .action(_, nil) = step.cause { actionCount += 1 }
    let after = KeptState(step.state.pointee)
    defer { present = after }
    if !isKept { return }
    steps.append(
      TriedStep(
        cause: step.cause, effect: step.effectNumber.flatMap { sessionNumbers[$0] },
        origin: step.origin, before: present, after: after))
  }

  private func add(_ error: RuntimeError, from number: Int?) {
    let number = number.map { sessionNumbers[$0] ?? $0 }
    errors.append(ErrorText(error, from: number, hiding: rules).line)
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

extension EffectPolicy {
  /// Whether an effect with this policy ends other effects with its id, or is dropped because of
  /// them.
  fileprivate var endsOthers: Bool {
    switch self {
    case .latest, .first, .debounce, .throttle: true
    case .parallel, .serial, .limited: false
    }
  }
}
