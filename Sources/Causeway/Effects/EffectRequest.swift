/// An effect that a handler asked for and that has not started.
///
/// An object, because it is passed from level to level and shared with the effect that it becomes.
@usableFromInline
final class EffectRequest<State: Sendable, Action: Sendable>: Sendable {
  typealias ErrorUpdate =
    @MainActor (
      UnsafeMutablePointer<State>, any Error
    ) -> Emission<State, Action>

  let identity: EffectIdentity
  let policy: EffectPolicy
  /// The children on the path that can go away, innermost first; `nil` if there is none, because
  /// asking an empty array for its count takes metadata.
  let presences: [ScopePresence<State>]?
  /// As the feature wrote it, because a closure around it costs an allocation.
  let work: Emission<State, Action>.EffectWork
  let catchError: ErrorUpdate?

  init(
    _ identity: EffectIdentity,
    _ policy: EffectPolicy,
    presences: [ScopePresence<State>]? = nil,
    work: @escaping Emission<State, Action>.EffectWork,
    catchError: ErrorUpdate?
  ) {
    self.identity = identity
    self.policy = policy
    self.presences = presences
    self.work = work
    self.catchError = catchError
  }
}

extension EffectRequest {
  /// A request as the factories of ``Emission`` make it.
  @usableFromInline
  convenience init(
    _ policy: EffectPolicy,
    id: EffectID?,
    _ fileID: StaticString,
    _ line: UInt,
    _ column: UInt,
    catch update: Emission<State, Action>.ErrorUpdate?,
    work: @escaping Emission<State, Action>.EffectWork
  ) {
    var catchError: ErrorUpdate?
    if let update {
      catchError = { state, error in
        update(&state.pointee, error)
        return .state
      }
    }
    self.init(
      EffectIdentity(name: id?.name, place: id?.place ?? EffectPlace(fileID, line, column)),
      policy, work: work, catchError: catchError)
  }

  /// The same request with a scope of its own, for a nameless effect and what follows from what
  /// any effect sends.
  func apart(_ scope: EffectScope) -> EffectRequest {
    var identity = identity
    if identity.name == nil { identity.path.append(scope) }
    let work = self.work
    var catchApart: ErrorUpdate?
    if let catchError {
      catchApart = { state, error in catchError(state, error).apart(scope) }
    }
    return EffectRequest(
      identity, policy, presences: presences,
      work: { send in try await work(Send(send.effect, ApartPort(send.port, scope))) },
      catchError: catchApart)
  }
}
