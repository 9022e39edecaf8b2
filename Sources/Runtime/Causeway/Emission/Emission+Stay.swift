extension Emission {
  /// The work of an effect that stays on the main actor.
  @usableFromInline typealias StayingWork =
    @MainActor @Sendable (Send<State, Action>) async throws -> Void

  /// Starts work that stays on the main actor.
  ///
  /// Use it for work that only waits, or only uses objects of the main actor. The work begins
  /// without a change of threads, and its sends need no `await`:
  ///
  /// ```swift
  /// return .stay { send in
  ///   try await player.finish()
  ///   send(.ended)
  /// }
  /// ```
  ///
  /// The work begins after the turn of the action, never inside of it. Computing, decoding and
  /// reading files belong in `perform`: here, they would block the views. Also use `perform` where
  /// many effects replace each other with `.latest`, and where a test explores the orders of
  /// effects: the parts of `stay` work always run in the order in which they can continue.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the main actor. Cancelled with its scope and its view model.
  ///   - update: Receives the error that `work` throws. Without `update`, the view model's `onError`
  ///     receives it. Neither receives a `CancellationError` or an error of a cancelled effect.
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
          policy, id: EffectID(optional: id), fileID, line, column,
          answer: EffectRequest.answer(update), staying: work)))
  }

  /// Starts work that stays on the main actor.
  ///
  /// An error is handled like an action and can start effects.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the main actor. Cancelled with its scope and its view model.
  ///   - answer: Receives the error that `work` throws, and returns an emission.
  @inlinable
  @_disfavoredOverload
  public static func stay(
    _ policy: EffectPolicy = .parallel,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping @MainActor @Sendable (Send<State, Action>) async throws -> Void,
    catch answer: @escaping ErrorAnswer
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, answer: answer,
          staying: work)))
  }
}
