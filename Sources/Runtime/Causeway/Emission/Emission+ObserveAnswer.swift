extension Emission {
  /// Starts long-running work that can read the current state, off the main actor.
  ///
  /// An error is handled like an action and can start effects. For the other parameters, see
  /// the variant whose `catch:` only changes the state.
  ///
  /// `work` runs on the concurrent executor. `answer` receives the error that it throws, and
  /// returns an emission.
  @_disfavoredOverload
  public static func observe(
    _ policy: EffectPolicy = .latest,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping ObservationWork,
    catch answer: @escaping ErrorAnswer
  ) -> Emission {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, answer: answer,
          isObservation: true, readsState: true, work: observing(work))))
  }

  /// Applies every element of a sequence to the state, in order, on the main actor.
  ///
  /// An error is handled like an action and can start effects:
  ///
  /// ```swift
  /// .observe(.first, socket) { state, event in … } catch: { state, error in .action(.reconnect) }
  /// ```
  ///
  /// For the other parameters, see the variant whose `catch:` only changes the state.
  ///
  /// `update` applies one element. `answer` receives the error that the sequence throws, and
  /// returns an emission.
  @inlinable
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ policy: EffectPolicy,
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ update: @escaping @MainActor (inout State, Elements.Element) -> Void,
    catch answer: @escaping ErrorAnswer
  ) -> Emission where Elements.Element: Sendable {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, answer: answer,
          isObservation: true, work: applying(sequence, update))))
  }

  /// Sends an action for every element of a sequence, in order.
  ///
  /// An error is handled like an action and can start effects. For the other parameters, see
  /// the variant whose `catch:` only changes the state.
  ///
  /// `embed` makes the action for an element; usually an enum case. `answer` receives the error that
  /// the sequence throws, and returns an emission.
  @inlinable
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ policy: EffectPolicy,
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    send embed: @escaping @Sendable (Elements.Element) -> Action,
    catch answer: @escaping ErrorAnswer
  ) -> Emission where Elements.Element: Sendable {
    Emission(
      .effect(
        EffectRequest(
          policy, id: EffectID(optional: id), fileID, line, column, answer: answer,
          isObservation: true, work: sending(sequence, embed))))
  }

  /// Applies every element of a sequence to the state, in order, on the main actor.
  ///
  /// A later effect of this call replaces this one. For the parameters, see the variant with a
  /// policy.
  @inlinable
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ update: @escaping @MainActor (inout State, Elements.Element) -> Void,
    catch answer: @escaping ErrorAnswer
  ) -> Emission where Elements.Element: Sendable {
    observe(
      .latest, sequence, id: id, fileID: fileID, line: line, column: column, update, catch: answer)
  }

  /// Sends an action for every element of a sequence, in order.
  ///
  /// A later effect of this call replaces this one. For the parameters, see the variant with a
  /// policy.
  @inlinable
  @_disfavoredOverload
  public static func observe<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    send embed: @escaping @Sendable (Elements.Element) -> Action,
    catch answer: @escaping ErrorAnswer
  ) -> Emission where Elements.Element: Sendable {
    observe(
      .latest, sequence, id: id, fileID: fileID, line: line, column: column, send: embed,
      catch: answer)
  }
}
