/// An effect that a handler requested and that has not started yet.
///
/// It is a class, which keeps an emission one word wide. The started effect uses the same object.
@usableFromInline
final class EffectRequest<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline let name: EffectName?
  @usableFromInline let place: EffectPlace
  @usableFromInline let policy: EffectPolicy
  @usableFromInline let work: Work
  @usableFromInline let catchError: Emission<State, Action>.ErrorAnswer?
  /// Whether the effect observes something outside of the feature, so no answer waits for it.
  @usableFromInline let isObservation: Bool
  /// Whether the work can read the current state.
  @usableFromInline let readsState: Bool

  /// Makes the effect; specialised in the client's module.
  @usableFromInline
  let makeEffect:
    @MainActor @Sendable (EffectRequest, EffectPort<State, Action>, Cascade) -> FeatureEffect<
      State, Action
    >

  /// The closure of the feature, stored directly because a wrapper would cost an allocation.
  @usableFromInline
  enum Work: Sendable {
    case away(Emission<State, Action>.EffectWork)
    /// The work stays on the main actor.
    case here(Emission<State, Action>.StayingWork)
  }

  // The initializers are inlinable: compiled in this module, they would look up the metadata of the
  // class.

  @inlinable
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
    self.init(
      id?.name, id?.place ?? EffectPlace(fileID, line, column), policy,
      answer: Self.answer(update), isObservation: isObservation, readsState: readsState,
      .away(work))
  }

  @inlinable
  convenience init(
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
    self.init(
      id?.name, id?.place ?? EffectPlace(fileID, line, column), policy, answer: answer,
      isObservation: isObservation, readsState: readsState, .away(work))
  }

  /// A request whose work stays on the main actor.
  @inlinable
  convenience init(
    _ policy: EffectPolicy,
    id: EffectID?,
    _ fileID: StaticString,
    _ line: UInt,
    _ column: UInt,
    answer: Emission<State, Action>.ErrorAnswer?,
    staying work: @escaping Emission<State, Action>.StayingWork
  ) {
    self.init(
      id?.name, id?.place ?? EffectPlace(fileID, line, column), policy, answer: answer,
      isObservation: false, readsState: false, .here(work))
  }

  @inlinable
  init(
    _ name: EffectName?, _ place: EffectPlace, _ policy: EffectPolicy,
    answer: Emission<State, Action>.ErrorAnswer?, isObservation: Bool, readsState: Bool,
    _ work: Work
  ) {
    self.name = name
    self.place = place
    self.policy = policy
    self.work = work
    catchError = answer
    self.isObservation = isObservation
    self.readsState = readsState
    makeEffect = { FeatureEffect($0, $1, $2) }
  }

  @inlinable
  static func answer(
    _ update: Emission<State, Action>.ErrorUpdate?
  ) -> Emission<State, Action>.ErrorAnswer? {
    guard let update else { return nil }
    return { state, error in
      update(&state, error)
      return .state
    }
  }

  /// The work of an effect that does not stay on the main actor.
  ///
  /// This is a property, because the compiler adds a hop to each effect if the function that calls
  /// the work also matches the pattern.
  var away: Emission<State, Action>.EffectWork {
    guard case .away(let work) = work else {
      preconditionFailure("The work of this effect stays on the main actor.")
    }
    return work
  }

  /// Whether the work stays on the main actor.
  var stays: Bool { if case .here = work { true } else { false } }

  /// A request whose effect does no work, for a rehearsal.
  convenience init(
    _ name: EffectName?, _ place: EffectPlace, _ policy: EffectPolicy, isObservation: Bool
  ) {
    self.init(
      name, place, policy, answer: nil, isObservation: isObservation, readsState: false,
      .away { _ in })
  }
}
