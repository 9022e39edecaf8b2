import Causeway

/// The steps of a model around the step from which other orders are tried.
///
/// The window begins where the effects that are in flight at that step were requested, because only
/// a handler can request an effect in the right place of the feature.
struct OrderWindow<State: Sendable, Action: Sendable> {
  /// A part of the window that is not divided: an action from outside, or an answer of an effect.
  struct Item {
    enum Work {
      case send(Action)
      case answer(Action, from: Int)
      case change(ModelHistory<State, Action>.Change, from: Int, isFailure: Bool)
      /// The effect returns without an answer.
      case end(Int)
    }

    let work: Work
    let label: String
    /// Whether the item is after the step from which other orders are tried.
    let isMovable: Bool
    /// The consequences before the end of the effect, caused by handlers and updates.
    var consequences = Consequences()
    /// The consequences of the end of the effect: the later parts of its sequences.
    var sequel = Consequences()
    /// Whether the item is the last answer of an effect that ended on its own.
    var endsEffect = false
    /// Whether the effect has ended with an error that nothing has caught.
    var isFailure = false

    /// The number of the effect in the session; `nil` for an action from outside.
    var effect: Int? {
      switch work {
      case .send: nil
      case .answer(_, let number), .change(_, let number, _), .end(let number): number
      }
    }
  }

  /// The requested effects and the actions that follow from an item.
  struct Consequences {
    var requested: [EffectEvent] = []
    var actions: [Action] = []
  }

  /// The state with which the window begins, and the number of the last step before it.
  let base: KeptState<State>
  let beginning: Int
  /// The number of the last step of the window.
  let end: Int
  let items: [Item]
  /// The effects that were requested before the window and had not ended.
  let inFlight: [EffectEvent]
  /// The effects that their policy dropped when they were requested.
  let dropped: Set<Int>
}

extension ModelHistory {
  /// The largest number of steps before and after the chosen step.
  private static var mostSteps: Int { 100 }

  /// The window around a step; `nil` if its steps are not kept.
  func window(around number: Int, name: (Step<State, Action>.Cause, Int?) -> String)
    -> OrderWindow<State, Action>?
  {
    let events = effects
    var ends: [Int: EffectEvent] = [:]
    for event in events where event.policy == nil { ends[event.number] = event }
    func isInFlight(_ event: EffectEvent, at step: Int) -> Bool {
      event.policy != nil && event.step <= step && (ends[event.number]?.step ?? .max) > step
    }
    // Observations last as long as their feature, so their requests are far away.
    let requests = events.filter {
      isInFlight($0, at: number) && !$0.isObservation && number - $0.step < Self.mostSteps
        && self.step($0.step) != nil
    }
    let first = requests.map(\.step).min() ?? number + 1
    guard let base = first > last ? states(at: last)?.after : states(at: first)?.before else {
      return nil
    }
    let end = min(last, number + Self.mostSteps)
    var items: [OrderWindow<State, Action>.Item] = []
    /// The last item of each effect.
    var answers: [Int: Int] = [:]
    var dropped: Set<Int> = []
    /// The item to which the next requests and actions belong, and the list of the item.
    var cause = 0
    var place = \OrderWindow<State, Action>.Item.consequences
    var rest = events.drop { $0.step < first }
    for step in stride(from: first, through: end, by: 1) {
      guard let kept = self.step(step) else { return nil }
      if let item = makeItem(kept, step, name, isMovable: step > number) {
        items.append(item)
        (cause, place) = (items.count - 1, \.consequences)
        if let effect = item.effect { answers[effect] = cause }
      } else if case .action(let action, _) = kept.cause, !items.isEmpty {
        items[cause][keyPath: place].actions.append(action)
      }
      while let event = rest.first, event.step == step {
        rest.removeFirst()
        if event.policy != nil {
          if !items.isEmpty { items[cause][keyPath: place].requested.append(event) }
          if let end = ends[event.number], end.kind == .cancelled, end.step == step {
            dropped.insert(event.number)
          }
        } else if event.kind == .ended {
          if let answer = answers[event.number] {
            cause = answer
          } else {
            items.append(
              .init(
                work: .end(event.number), label: "end of \(event.id.label(event.number))",
                isMovable: step > number))
            cause = items.count - 1
          }
          items[cause].endsEffect = true
          items[cause].isFailure = event.isFailure
          place = \.sequel
        }
      }
    }
    return OrderWindow(
      base: KeptState(base), beginning: first - 1, end: end, items: items,
      inFlight: events.filter { isInFlight($0, at: first - 1) }, dropped: dropped)
  }

  /// The item of a step; `nil` if the step belongs to the item before it.
  private func makeItem(
    _ kept: KeptStep, _ step: Int, _ name: (Step<State, Action>.Cause, Int?) -> String,
    isMovable: Bool
  ) -> OrderWindow<State, Action>.Item? {
    let label = name(kept.cause, kept.effectNumber)
    let number = kept.effectNumber ?? 0
    switch kept.cause {
    case .action(let action, nil):
      if kept.origin != step { return nil }
      return .init(work: .send(action), label: label, isMovable: isMovable)
    case .action(let action, _):
      return .init(work: .answer(action, from: number), label: label, isMovable: isMovable)
    case .update:
      return .init(
        work: .change(kept.change, from: number, isFailure: false), label: label,
        isMovable: isMovable)
    case .failure:
      return .init(
        work: .change(kept.change, from: number, isFailure: true), label: label,
        isMovable: isMovable)
    }
  }
}
