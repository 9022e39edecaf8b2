/// An effect that a handler requested and that has not started yet.
///
/// It is a class, which keeps an emission one word wide. The started effect uses the same object.
@usableFromInline
final class EffectRequest<State: Sendable, Action: Sendable>: Sendable {
  let name: EffectName?
  let place: EffectPlace
  let policy: EffectPolicy
  /// The closure of the feature, stored directly because a wrapper would cost an allocation.
  let work: Emission<State, Action>.EffectWork
  let catchError: Emission<State, Action>.ErrorAnswer?
  /// Whether the effect observes something outside of the feature, so no answer waits for it.
  let isObservation: Bool
  /// Whether the work can read the current state.
  let readsState: Bool

  @usableFromInline
  convenience init(
    _ policy: EffectPolicy,
    id: EffectID?,
    _ fileID: StaticString,
    _ line: UInt,
    _ column: UInt,
    catch update: Emission<State, Action>.ErrorUpdate?,
    isObservation: Bool = false,
    readsState: Bool = false,
    work: @escaping Emission<State, Action>.EffectWork
  ) {
    var answer: Emission<State, Action>.ErrorAnswer?
    if let update {
      answer = { state, error in
        update(&state, error)
        return .state
      }
    }
    self.init(
      policy, id: id, fileID, line, column, answer: answer, isObservation: isObservation,
      readsState: readsState, work: work)
  }

  @usableFromInline
  init(
    _ policy: EffectPolicy,
    id: EffectID?,
    _ fileID: StaticString,
    _ line: UInt,
    _ column: UInt,
    answer: Emission<State, Action>.ErrorAnswer?,
    isObservation: Bool = false,
    readsState: Bool = false,
    work: @escaping Emission<State, Action>.EffectWork
  ) {
    name = id?.name
    place = id?.place ?? EffectPlace(fileID, line, column)
    self.policy = policy
    self.work = work
    catchError = answer
    self.isObservation = isObservation
    self.readsState = readsState
  }

  /// A request whose effect does no work, for a rehearsal.
  init(_ name: EffectName?, _ place: EffectPlace, _ policy: EffectPolicy, isObservation: Bool) {
    self.name = name
    self.place = place
    self.policy = policy
    work = { _ in }
    catchError = nil
    self.isObservation = isObservation
    readsState = false
  }
}
