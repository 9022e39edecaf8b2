/// A consumer of view states.
///
/// Records whether the consumer has taken the last view state.
@MainActor
class StateSubscription {
  /// Whether there is a view state that the consumer has not taken.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) fileprivate(set) final var isDue = true
  fileprivate final var isFinished = false

  /// Passes the current view state to a waiting consumer, or marks it as not taken yet.
  func publish() {
    isDue = true
  }

  /// Ends the sequence.
  ///
  /// If the consumer has not taken the last view state yet, it receives that view state first.
  func finish() {
    isFinished = true
  }
}

/// A consumer's subscription to view states of one type.
final class ViewStateSubscription<ViewState: Sendable>: StateSubscription {
  private let source: ViewStateSource<ViewState>
  /// The waiting consumer.
  ///
  /// Unchecked, because a check would cost an allocation for each element: every `resume` takes the
  /// waiter out first, on the main actor, so it is resumed once.
  private var waiter: UnsafeContinuation<ViewState?, Never>?

  init(_ source: ViewStateSource<ViewState>) {
    self.source = source
    super.init()
    source.observation.subscribe(self)
  }

  override func publish() {
    guard let waiter = waiter.take() else { return super.publish() }
    waiter.resume(returning: source.value)
  }

  override func finish() {
    super.finish()
    waiter.take()?.resume(returning: nil)
  }

  func cancel() {
    source.observation.unsubscribe(self)
    waiter.take()?.resume(returning: nil)
  }

  /// Returns the next view state that was not taken yet; `nil` at the end.
  func next() async -> ViewState? {
    if Task.isCancelled { return nil }
    if isDue {
      isDue = false
      return source.value
    }
    if isFinished { return nil }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        waiter.take()?.resume(returning: nil)
        if Task.isCancelled { return continuation.resume(returning: nil) }
        waiter = continuation
      }
    } onCancel: {
      Task { @MainActor in waiter.take()?.resume(returning: nil) }
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
    private lazy var subscription = ViewStateSubscription(source)
    private var isStarted = false

    nonisolated init(_ source: ViewStateSource<ViewState>) {
      self.source = source
    }

    func next() async -> ViewState? {
      isStarted = true
      return await subscription.next()
    }

    isolated deinit {
      if isStarted { subscription.cancel() }
    }
  }
}
