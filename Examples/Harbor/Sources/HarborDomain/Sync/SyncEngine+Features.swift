package import CausewayData

extension SyncEngine {
  /// Stores a change.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  package func store(_ mutation: Source.Mutation) async throws(ActivityError) {
    do {
      try await perform(mutation)
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }

  /// Stores a change if the shown record needs it.
  ///
  /// - Parameter isNeeded: Receives the record; `nil` if there is none.
  package func store(
    _ mutation: Source.Mutation,
    if isNeeded: @escaping @Sendable (Record?) throws(ActivityError) -> Bool
  ) async throws(ActivityError) {
    do {
      try await perform(mutation, if: isNeeded)
    } catch let error as ActivityError {
      throw error
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  /// The converted rows of a live query, now and after each change.
  ///
  /// A slow consumer gets only the newest value. The stream fails with
  /// ``ActivityError/notRead(reason:)``.
  package static func rows<Query: AsyncSequence & Sendable>(
    of query: Query, _ convert: @escaping @Sendable (Query.Element) -> Element
  ) -> Self where Query.Element: Sendable {
    .rows(of: query, from: ()) { _, rows in convert(rows) }
  }

  /// The converted rows of a live query, like ``rows(of:_:)``, for conversions that keep a state.
  ///
  /// - Parameters:
  ///   - query: The rows.
  ///   - state: The state for the first conversion.
  ///   - convert: Makes the value, and changes the state. Called for the versions of the rows in
  ///     their order, never for two at the same time.
  package static func rows<Query: AsyncSequence & Sendable, State: Sendable>(
    of query: Query, from state: State,
    _ convert: @escaping @Sendable (inout State, Query.Element) -> Element
  ) -> Self where Query.Element: Sendable {
    .newest { listener in
      var state = state
      do {
        for try await rows in query { listener.yield(convert(&state, rows)) }
      } catch let error as ActivityError {
        throw error
      } catch {
        throw ActivityError.notRead(reason: "\(error)")
      }
    }
  }
}
