extension Emission {
  /// An effect's work that also reads the current state.
  public typealias ObservationWork =
    @concurrent @Sendable (DynamicState<State>, Send<State, Action>) async throws -> Void

  /// Follows something for a long time, off the main actor, with a look at the current state.
  ///
  /// ```swift
  /// return .observe { currentState, send in
  ///   for await event in socket.events where await currentState.isListening {
  ///     await send { $0.events.append(event) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - policy: What happens when an effect with the same id runs already. Default: the new
  ///     one takes over.
  ///   - id: Names the effect, for policies and ``cancel(_:)``; any value, often a string or a case
  ///     of an enum. Default: the place of the call,
  ///     but nothing for the policies of others if the policy is `.parallel`; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - update: Receives what `work` throws; see `perform`.
  public static func observe(
    _ policy: EffectPolicy = .latest,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping ObservationWork,
    catch update: ErrorUpdate? = nil
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, catch: update,
          work: { send in try await work(DynamicState(send), send) })))
  }

  /// Applies every element of a sequence to the state, in order, on the main actor.
  ///
  /// The sequence is iterated off the main actor. Elements that arrive while the main actor is
  /// busy are applied in one visit, each as a step of its own: none is lost, doubled or
  /// reordered, and at most 64 wait at a time.
  ///
  /// - Parameters:
  ///   - sequence: Ends the effect when it ends; an error that it throws reaches `catch`.
  ///   - policy: What happens when an effect with the same id runs already. Default: the new
  ///     one takes over.
  ///   - id: Names the effect, for policies and ``cancel(_:)``; any value, often a string or a case
  ///     of an enum. Default: the place of the call,
  ///     but nothing for the policies of others if the policy is `.parallel`; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - update: Applies one element, on the main actor.
  ///   - catchError: Receives what the sequence throws.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    _ policy: EffectPolicy = .latest,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ update: @escaping @MainActor (inout State, Elements.Element) -> Void,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, catch: catchError,
          work: { send in try await ElementPump(send, update).run(sequence) })))
  }

  /// Sends an action for every element of a sequence, in order.
  ///
  /// ```swift
  /// return .observe(session.changes, send: Action.session)
  /// ```
  ///
  /// The sequence is iterated off the main actor. The next element is taken when the action of the
  /// one before was handled.
  ///
  /// - Parameters:
  ///   - sequence: Ends the effect when it ends; an error that it throws reaches `catch`.
  ///   - policy: What happens when an effect with the same id runs already. Default: the new
  ///     one takes over.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - embed: Makes the action of an element; usually an enum case.
  ///   - catchError: Receives what the sequence throws.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    _ policy: EffectPolicy = .latest,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    send embed: @escaping @Sendable (Elements.Element) -> Action,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, catch: catchError,
          work: { send in
            for try await element in sequence {
              if Task.isCancelled { return }
              await send(embed(element))
            }
          })))
  }
}
