/// The view states of a view model, for any number of consumers.
///
/// The first element is the current view state, without waiting. A consumer that is slower than the
/// changes gets the latest view state. The sequence ends with the view model. It keeps neither the
/// view model nor its effects alive.
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

    /// Does the same without a change of the executor for a consumer on the main actor.
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

    nonisolated init(_ source: ViewStateSource<ViewState>) {
      self.source = source
    }

    func next() async -> ViewState? {
      let subscription = self.subscription ?? StateSubscription(source.observation)
      self.subscription = subscription
      return await subscription.take() ? source.value : nil
    }

    isolated deinit {
      subscription?.cancel()
    }
  }
}
