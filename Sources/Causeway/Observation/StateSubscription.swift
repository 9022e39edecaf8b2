/// A consumer of view states.
///
/// Records whether the consumer has taken the last view state.
///
/// The class is not generic. Consumers can be many, and generic code looks up metadata at run time.
@MainActor
final class StateSubscription {
  /// Whether there is a view state that the consumer has not taken.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) var isDue = true
  private var isFinished = false
  private let table: ObservationTable
  /// The waiting consumer.
  ///
  /// Unchecked, because a check would cost an allocation for each element: every `resume` takes the
  /// waiter out first, on the main actor, so it is resumed once.
  private var waiter: UnsafeContinuation<Void, Never>?

  init(_ table: ObservationTable) {
    self.table = table
    table.subscribe(self)
  }

  /// Marks the current view state as not taken yet, and wakes a waiting consumer.
  func publish() {
    isDue = true
    waiter.take()?.resume()
  }

  /// Ends the sequence.
  ///
  /// If the consumer has not taken the last view state yet, it receives that view state first.
  func finish() {
    isFinished = true
    waiter.take()?.resume()
  }

  func cancel() {
    table.unsubscribe(self)
    waiter.take()?.resume()
  }

  /// Waits for a view state that was not taken yet, and takes it.
  ///
  /// Returns false at the end and in a cancelled task.
  func take() async -> Bool {
    if Task.isCancelled { return false }
    if !isDue {
      if isFinished { return false }
      await wait()
    }
    defer { isDue = false }
    return isDue
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        waiter.take()?.resume()
        if Task.isCancelled { return continuation.resume() }
        waiter = continuation
      }
    } onCancel: {
      Task { @MainActor in waiter.take()?.resume() }
    }
  }
}

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
