/// The view states of a view model, for any number of consumers.
///
/// The first element is the current view state, without waiting. A consumer that is slower than the
/// changes gets the latest view state. A view state that equals the last one is left out, if the
/// type is `Equatable`. The sequence ends with the view model. It keeps neither the view model nor
/// its effects alive.
public struct ViewStates<ViewState: Sendable>: AsyncSequence, Sendable {
  /// A view state.
  public typealias Element = ViewState
  /// The sequence does not throw.
  public typealias Failure = Never

  let source: ViewStateSource<ViewState>

  /// Makes an iterator that begins with the current view state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source)
  }

  /// Waits for a view state that satisfies a condition.
  ///
  /// - Parameter condition: Called on the main actor with each view state that is taken.
  /// - Returns: The first view state that satisfies it; `nil` if the view model ends first or the
  ///   task is cancelled.
  @MainActor
  public func first(
    where condition: @MainActor (ViewState) throws -> Bool
  ) async rethrows -> ViewState? {
    var iterator = makeAsyncIterator()
    while let state = await iterator.next() {
      if try condition(state) { return state }
    }
    return nil
  }

  /// Iterates over view states.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: Handle

    init(_ source: ViewStateSource<ViewState>) {
      handle = Handle(source)
    }

    /// Waits for a view state that was not taken yet.
    ///
    /// Returns `nil` at the end and in a cancelled task.
    public mutating func next() async -> ViewState? {
      await handle.next()
    }

    /// Waits for a view state without a change of the executor, for a consumer on the main actor.
    ///
    /// - Parameter actor: The actor of the consumer.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ViewState? {
      await handle.next()
    }
  }

  /// Ends the subscription when the iterator is released.
  @MainActor
  private final class Handle {
    private let source: ViewStateSource<ViewState>
    private var subscription: StateSubscription?
    /// The view state that the consumer took last, if it can be compared.
    private var last: ViewState?
    private var hasTaken = false
    private let areSame = ViewStates.comparison

    nonisolated init(_ source: ViewStateSource<ViewState>) {
      self.source = source
    }

    func next() async -> ViewState? {
      let subscription = self.subscription ?? StateSubscription(source.observation)
      self.subscription = subscription
      while await subscription.take() {
        // A removed part has no new view state.
        if hasTaken, source.place.isMissing { continue }
        hasTaken = true
        let value = source.value
        guard let areSame else { return value }
        if let last, areSame(last, value) { continue }
        last = value
        return value
      }
      return nil
    }

    isolated deinit {
      subscription?.cancel()
    }
  }

  /// Compares two view states; `nil` for a type that is not `Equatable`.
  ///
  /// Checked at run time, because the generic parameter does not require `Equatable`.
  private static var comparison: ((ViewState, ViewState) -> Bool)? {
    (ViewState.self as? any Equatable.Type).map { makeComparison($0) }
  }

  private static func makeComparison<Value: Equatable>(
    _ type: Value.Type
  ) -> (ViewState, ViewState) -> Bool {
    { left, right in
      // `Value` is the type `ViewState`.
      withUnsafePointer(to: left) { left in
        withUnsafePointer(to: right) { right in
          Sameness.areSame(
            UnsafeRawPointer(left).assumingMemoryBound(to: Value.self).pointee,
            UnsafeRawPointer(right).assumingMemoryBound(to: Value.self).pointee)
        }
      }
    }
  }
}
