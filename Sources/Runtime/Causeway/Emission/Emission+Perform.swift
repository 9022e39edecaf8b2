extension Emission {
  /// The work of an effect.
  ///
  /// It never runs on the main actor, regardless of the module's default isolation.
  public typealias EffectWork = @concurrent @Sendable (Send<State, Action>) async throws -> Void

  /// Turns an error of an effect into a state change, on the main actor.
  public typealias ErrorUpdate = @MainActor (inout State, any Error) -> Void

  /// Turns an error of an effect into a state change and an emission, on the main actor.
  public typealias ErrorAnswer = @MainActor (inout State, any Error) -> Emission

  /// Starts work off the main actor.
  ///
  /// The work sends its results back.
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
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: The name of the effect, for policies and ``cancel(_:)``; any hashable value, often a
  ///     string or an enum case. Default: the place of the call. The policies of other effects
  ///     ignore a nameless `.parallel` effect; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - update: Receives the error that `work` throws. Without `update`, the view model's
  ///     `onError` receives it. Neither receives a `CancellationError` or an error of a cancelled
  ///     effect.
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

  /// Starts work off the main actor.
  ///
  /// An error is handled like an action and can start effects.
  ///
  /// ```swift
  /// .perform { send in … } catch: { state, error in .action(.failed("\(error)")) }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Default: both effects run.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - answer: Receives the error that `work` throws, and returns an emission.
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

  /// Starts work that is a function or a stored closure, without a policy or an id.
  ///
  /// ```swift
  /// .perform(load)
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - update: Receives the error that `work` throws; see `perform`.
  @inlinable
  @_disfavoredOverload
  public static func perform(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping EffectWork,
    catch update: ErrorUpdate? = nil
  ) -> Emission {
    perform(
      .parallel, fileID: fileID, line: line, column: column, work, catch: update)
  }
}
