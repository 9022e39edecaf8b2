/// An effect that a handler asked for and that has not started.
@usableFromInline
struct EffectRequest<State: Sendable, Action: Sendable>: Sendable {
  typealias Work = @concurrent @Sendable (Effect, EffectPort<State, Action>) async throws -> Void
  typealias ErrorUpdate =
    @MainActor (
      UnsafeMutablePointer<State>, any Error
    ) -> Emission<State, Action>

  var description: EffectDescription
  /// The children on the path that can go away, innermost first.
  var presences: [ScopePresence<State>] = []
  let work: Work
  var catchError: ErrorUpdate?
}

/// What is known of an effect whatever its state and actions are.
@usableFromInline
struct EffectDescription: Sendable {
  let id: EffectID
  /// Whether the id was given, so that it can be cancelled by it.
  let isNamed: Bool
  let policy: EffectPolicy
  /// The place of the call that asked for it.
  let place: EffectPlace
  var path: EffectPath = []

  /// `nil` where nothing can ever refer to the effect by its id.
  var key: EffectKey? {
    isNamed || policy != .parallel ? EffectKey(path: path, id: id) : nil
  }
}

extension EffectRequest {
  /// A request as the factories of ``Emission`` make it.
  init(
    _ policy: EffectPolicy,
    id: EffectID?,
    _ site: (fileID: StaticString, line: UInt, column: UInt),
    catch update: Emission<State, Action>.ErrorUpdate?,
    work: @escaping Work
  ) {
    self.init(
      description: EffectDescription(
        id: id ?? EffectID(fileID: site.fileID, line: site.line, column: site.column),
        isNamed: id != nil, policy: policy,
        place: EffectPlace(fileID: site.fileID, line: site.line)),
      work: work)
    if let update {
      catchError = { state, error in
        update(&state.pointee, error)
        return .state
      }
    }
  }
}
