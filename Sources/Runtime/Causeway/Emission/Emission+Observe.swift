extension Emission {
  /// The work of an effect that can also read the current state.
  public typealias ObservationWork =
    @concurrent @Sendable (DynamicState<State>, Send<State, Action>) async throws -> Void

  /// Starts long-running work that can read the current state, off the main actor.
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
  ///   - policy: The rule for an effect whose id is in use already. Default: the new effect
  ///     replaces the running one.
  ///   - id: The name of the effect, for policies and ``cancel(_:)``; any hashable value, often a
  ///     string or an enum case. Default: the place of the call. The policies of other effects
  ///     ignore a nameless `.parallel` effect; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. Cancelled with its scope and its view model.
  ///   - update: Receives the error that `work` throws; see `perform`.
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
          isObservation: true, readsState: true, work: observing(work))))
  }

  /// Starts work that is a function or a stored closure, without a policy or an id.
  ///
  /// ```swift
  /// .observe(listen)
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - work: Runs on the concurrent executor. A later effect of this call cancels it.
  ///   - update: Receives the error that `work` throws; see `perform`.
  @inlinable
  @_disfavoredOverload
  public static func observe(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping ObservationWork,
    catch update: ErrorUpdate? = nil
  ) -> Emission {
    observe(.latest, fileID: fileID, line: line, column: column, work, catch: update)
  }

  /// Applies every element of a sequence to the state, in order, on the main actor.
  ///
  /// The sequence is iterated off the main actor. Elements that arrive while the main actor is busy
  /// are applied in one hop, each as a separate step. No element is lost, duplicated or reordered,
  /// and at most 64 wait at a time.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Without a policy, the new effect
  ///     replaces the running one.
  ///   - sequence: When it ends, the effect ends too. Its error is passed to `catch`.
  ///   - id: The name of the effect, for policies and ``cancel(_:)``; any hashable value, often a
  ///     string or an enum case. Default: the place of the call. The policies of other effects
  ///     ignore a nameless `.parallel` effect; see ``EffectID``.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - update: Applies one element, on the main actor.
  ///   - catchError: Receives the error that the sequence throws.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ policy: EffectPolicy,
    _ sequence: Elements,
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
          isObservation: true, work: applying(sequence, update))))
  }

  /// Sends an action for every element of a sequence, in order.
  ///
  /// ```swift
  /// return .observe(.first, session.changes, send: Action.session)
  /// ```
  ///
  /// The sequence is iterated off the main actor. The next element is requested after the action of
  /// the previous element was handled.
  ///
  /// - Parameters:
  ///   - policy: The rule for an effect whose id is in use already. Without a policy, the new effect
  ///     replaces the running one.
  ///   - sequence: When it ends, the effect ends too. Its error is passed to `catch`.
  ///   - id: Names the effect; see `perform`.
  ///   - fileID: The place of the call, which is the default id; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - embed: Makes the action for an element; usually an enum case.
  ///   - catchError: Receives the error that the sequence throws.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ policy: EffectPolicy,
    _ sequence: Elements,
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
          isObservation: true, work: sending(sequence, embed))))
  }
}

// Calls without a policy.
extension Emission {
  /// Applies every element of a sequence to the state, in order, on the main actor.
  ///
  /// ```swift
  /// return .observe(socket) { state, event in state.items.append(event) }
  /// ```
  ///
  /// A later effect of this call replaces this one. For the parameters, see the variant with a
  /// policy.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ update: @escaping @MainActor (inout State, Elements.Element) -> Void,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    observe(
      .latest, sequence, id: id, fileID: fileID, line: line, column: column, update,
      catch: catchError)
  }

  /// Sends an action for every element of a sequence, in order.
  ///
  /// ```swift
  /// return .observe(session.changes, send: Action.session)
  /// ```
  ///
  /// A later effect of this call replaces this one. For the parameters, see the variant with a
  /// policy.
  @inlinable
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    send embed: @escaping @Sendable (Elements.Element) -> Action,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    observe(
      .latest, sequence, id: id, fileID: fileID, line: line, column: column, send: embed,
      catch: catchError)
  }
}

// Overloads for calls with the sequence before the policy.
extension Emission {
  /// Not available: the policy comes first.
  @available(
    *, unavailable,
    message: "the policy comes before the sequence: .observe(.first, sequence) { state, element in"
  )
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements, _ policy: EffectPolicy, id: (any Hashable & Sendable)? = nil,
    _ update: @escaping @MainActor (inout State, Elements.Element) -> Void,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    .state
  }

  /// Not available: the policy comes first.
  @available(
    *, unavailable,
    message: "the policy comes before the sequence: .observe(.first, sequence, send: Action.new)"
  )
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements, _ policy: EffectPolicy, id: (any Hashable & Sendable)? = nil,
    send embed: @escaping @Sendable (Elements.Element) -> Action,
    catch catchError: ErrorUpdate? = nil
  ) -> Emission where Elements.Element: Sendable {
    .state
  }
}

// The work of both variants of `observe`: with an update for errors, and with an answer.
extension Emission {
  static func observing(_ work: @escaping ObservationWork) -> EffectWork {
    { send in try await work(DynamicState(send), send) }
  }

  @inlinable
  static func applying<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements, _ update: @escaping @MainActor (inout State, Elements.Element) -> Void
  ) -> EffectWork where Elements.Element: Sendable {
    { send in try await ElementPump(send, update).run(sequence) }
  }

  @inlinable
  static func sending<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements, _ embed: @escaping @Sendable (Elements.Element) -> Action
  ) -> EffectWork where Elements.Element: Sendable {
    { send in
      for try await element in sequence {
        if Task.isCancelled { return }
        await send(embed(element))
      }
    }
  }
}
