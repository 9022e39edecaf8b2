/// An effect that a handler asked for and that has not started.
@usableFromInline
struct EffectRequest<State: Sendable, Action: Sendable>: Sendable {
  typealias Work = @concurrent @Sendable (EffectTarget<State, Action>) async throws -> Void

  let id: EffectID
  /// Whether the id was given, so that it can be cancelled by it.
  let isNamed: Bool
  let policy: EffectPolicy
  var path: EffectPath = []
  let work: Work
  let catchError: Emission<State, Action>.ErrorUpdate?

  /// `nil` where nothing can ever refer to the effect by its id.
  var key: EffectKey? {
    isNamed || policy != .parallel ? EffectKey(path: path, id: id) : nil
  }
}
