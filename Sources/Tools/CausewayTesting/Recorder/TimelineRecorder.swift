public import Causeway

/// Records the timeline of a model.
///
/// ```swift
/// let recorder = TimelineRecorder<Search.State, Search.Action>()
/// let model = ViewModel(Search(), observer: recorder.observer)
/// …
/// try recorder.timeline.json().write(to: file)
/// ```
///
/// If states and actions are `Codable`, the timeline can be written as JSON.
///
/// Isolation: the main actor. A recorder stores every state, so use it only in tests or to
/// reproduce a problem.
@MainActor
public final class TimelineRecorder<State: Sendable, Action: Sendable> {
  /// The steps and effects so far.
  public private(set) var timeline = Timeline<State, Action>(entries: [], effects: [])

  /// The indices in the timeline of the effects that have not ended, by their numbers.
  private var running: [Int: Int] = [:]

  /// Makes an empty recorder, for one model.
  public init() {}

  /// The observer to pass to the model.
  public var observer: StepObserver<State, Action> {
    StepObserver({ self.add($0) }, effects: { self.add($0) })
  }

  private func add(_ step: Step<State, Action>) {
    if timeline.entries.isEmpty { timeline.initialState = step.before }
    let cause: Timeline<State, Action>.Cause =
      switch step.cause {
      case .action(let action, let effect): .action(action, effect: effect?.description)
      case .update(let effect): .update(effect: effect.description)
      case .failure(let effect): .failure(effect: effect.description)
      }
    timeline.entries.append(
      Timeline.Entry(number: step.number, cause: cause, origin: step.origin, state: step.after))
  }

  private func add(_ event: EffectEvent) {
    switch event.kind {
    case .readState: break
    case .began:
      running[event.number] = timeline.effects.count
      timeline.effects.append(
        Timeline.EffectLife(
          number: event.number, id: event.id.description, place: event.place.description,
          begin: event.step, end: nil, isCancelled: false))
    case .ended, .cancelled:
      guard let index = running.removeValue(forKey: event.number) else { return }
      timeline.effects[index].end = event.step
      timeline.effects[index].isCancelled = event.kind == .cancelled
    }
  }
}
