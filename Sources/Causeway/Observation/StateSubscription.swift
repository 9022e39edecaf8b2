/// A consumer of view states, and whether it has taken the last one.
@MainActor
class StateSubscription {
  /// Whether there is a view state that the consumer has not taken.
  ///
  /// Unchecked because every access to it is a single load or store on the main actor.
  @exclusivity(unchecked) fileprivate(set) final var isDue = true
  fileprivate final var isFinished = false

  /// Hands the present view state to a consumer that waits, or marks it as due.
  func publish() {
    isDue = true
  }

  /// Ends the sequence, after a view state that is due.
  func finish() {
    isFinished = true
  }
}

/// The subscription of a consumer to view states of a type.
final class ViewStateSubscription<ViewState: Sendable>: StateSubscription {
  private let source: ViewStateSource<ViewState>
  private var waiter: CheckedContinuation<ViewState?, Never>?

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

  /// The view state, when there is one that was not taken; `nil` at the end.
  func next() async -> ViewState? {
    if Task.isCancelled { return nil }
    if isDue {
      isDue = false
      return source.value
    }
    if isFinished { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
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
/// The first element is the present view state, at once. A consumer that is slower than the
/// changes gets the latest. The sequence ends with the view model. It keeps neither the view model
/// nor its effects alive.
public struct ViewStates<ViewState: Sendable>: AsyncSequence, Sendable {
  /// A view state.
  public typealias Element = ViewState
  /// The sequence does not fail.
  public typealias Failure = Never

  let source: ViewStateSource<ViewState>

  /// Begins with the present view state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source)
  }

  /// Waits for a view state that meets a condition.
  ///
  /// - Parameter condition: Called on the main actor with each view state that is taken.
  /// - Returns: The first one that meets it; `nil` when the view model went away before, and in a
  ///   task that is cancelled.
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

  /// Takes view states one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let handle: Handle

    init(_ source: ViewStateSource<ViewState>) {
      handle = Handle(source)
    }

    /// The view state, once there is one that was not taken; `nil` at the end, and in a task that
    /// is cancelled.
    public mutating func next() async -> ViewState? {
      await handle.next()
    }
  }

  /// Ends the subscription when the iterator is gone.
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
