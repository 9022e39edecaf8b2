extension Emission {
  /// An effect's work.
  ///
  /// It never runs on the main actor, whatever the module's default isolation.
  public typealias EffectWork = @concurrent @Sendable (Send<State, Action>) async throws -> Void

  /// Turns an error that an effect threw into state, on the main actor.
  public typealias ErrorUpdate = @MainActor (inout State, any Error) -> Void

  /// Turns an error that an effect threw into state and says which effects that starts, on the main
  /// actor.
  public typealias ErrorAnswer = @MainActor (inout State, any Error) -> Emission

  /// Starts work off the main actor that sends its results back.
  ///
  /// ```swift
  /// return .perform(.latest) { send in
  ///   let results = try await api.search(query)
  ///   await send { $0.results = results }
  /// } catch: { state, error in
  ///   state.problem = "\(error)"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: What happens when an effect with the same id runs already. Default: both run.
  ///   - id: Names the effect, for policies and ``cancel(_:)``; any value, often a string or a case
  ///     of an enum. Default: the place of the call,
  ///     but nothing for the policies of others if the policy is `.parallel`; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - update: Receives what `work` throws. Without it the view model's `onError` does.
  ///     `CancellationError` and whatever a cancelled effect throws reach neither.
  @inlinable
  public static func perform(
    _ policy: EffectPolicy = .parallel,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping EffectWork,
    catch update: ErrorUpdate? = nil
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, catch: update, work: work)))
  }

  /// Starts work off the main actor, and answers an error as a handler answers an action.
  ///
  /// ```swift
  /// .perform { send in … } catch: { state, error in .action(.failed("\(error)")) }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: What happens when an effect with the same id runs already. Default: both run.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - answer: Receives what `work` throws, and returns what starts because of it.
  @inlinable
  @_disfavoredOverload
  public static func perform(
    _ policy: EffectPolicy = .parallel,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping EffectWork,
    catch answer: @escaping ErrorAnswer
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, answer: answer, work: work)))
  }
}
