extension Emission {
  /// The work of an effect that stays on the main actor.
  @usableFromInline typealias StayingWork =
    @MainActor @Sendable (Send<State, Action>) async throws -> Void

  /// Starts work that stays on the main actor.
  ///
  /// For work that only waits, or only uses what is on the main actor already. It costs much less than
  /// work that leaves the main actor, and its sends need no `await`:
  ///
  /// ```swift
  /// return .stay { send in
  ///   try await player.finish()
  ///   send(.ended)
  /// }
  /// ```
  ///
  /// The work begins after the turn of the action, never inside of it. Computing, decoding and
  /// reading files belong into `perform`: they would block the views here.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the main actor. Cancelled with its scope and its view model.
  ///   - update: Receives the error that `work` throws; see `perform`.
  @inlinable
  public static func stay(
    _ policy: EffectPolicy = .parallel,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping @MainActor @Sendable (Send<State, Action>) async throws -> Void,
    catch update: ErrorUpdate? = nil
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, catch: update, staying: work)))
  }
}
