import Synchronization

/// Where a listener puts what it hears; may be called on any thread.
public struct Listener<Element: Sendable>: Sendable {
  private let continuation: AsyncThrowingStream<Element, any Error>.Continuation

  init(_ continuation: AsyncThrowingStream<Element, any Error>.Continuation) {
    self.continuation = continuation
  }

  /// Delivers an element; does nothing after the end.
  public func yield(_ element: Element) {
    continuation.yield(element)
  }

  /// Ends the stream with an error and removes the listener.
  public func fail(_ error: any Error) {
    continuation.finish(throwing: error)
  }

  /// Ends the stream and removes the listener.
  public func finish() {
    continuation.finish()
  }

  /// Delivers an element, or ends the stream with an error.
  public func callAsFunction(_ result: Result<Element, any Error>) {
    switch result {
    case .success(let element): yield(element)
    case .failure(let error): fail(error)
    }
  }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  /// What a listener hears, as a stream.
  ///
  /// ```swift
  /// let changes = AsyncThrowingStream<[Row], any Error>.listening { listener in
  ///   database.addListener { rows, error in  // called on the database's own thread
  ///     if let error { listener.fail(error) } else { listener.yield(rows) }
  ///   }
  /// } remove: { registration in
  ///   registration.remove()
  /// }
  /// ```
  ///
  /// The listener is registered when this returns, so nothing is missed, and removed exactly once:
  /// when the stream ends, when its consumer is cancelled, or when it is given up.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: What is kept for a slow consumer. The default keeps only the newest, which
  ///     is right for states; events need `.unbounded`, or a limit that the listener respects.
  ///   - register: Registers the listener and returns what removes it. Called once, before this
  ///     returns. It is sendable, so that the closures in it belong to no actor: one that belonged
  ///     to the main actor would trap when it is called on another thread.
  ///   - remove: Removes the listener; may be called on any thread.
  public static func listening<Handle>(
    bufferingPolicy: Continuation.BufferingPolicy = .bufferingNewest(1),
    register: @Sendable (Listener<Element>) throws -> sending Handle,
    remove: @escaping @Sendable (sending Handle) -> Void
  ) -> AsyncThrowingStream<Element, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: bufferingPolicy)
    let removal = Removal<Handle>(remove)
    continuation.onTermination = { _ in removal.end() }
    do {
      removal.begin(try register(Listener(continuation)))
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }
}

/// Removes a registration once, whether the end comes before or after the registering returns.
private final class Removal<Handle>: Sendable {
  /// Holds a registration, which need not be sendable, until somebody takes it out.
  private final class Box: Sendable {
    private let handle: Mutex<Handle?>

    init(_ handle: sending Handle) {
      self.handle = Mutex(handle)
    }

    func take() -> sending Handle? {
      handle.withLock { $0.take() }
    }
  }

  private struct State {
    var box: Box?
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let remove: @Sendable (sending Handle) -> Void

  init(_ remove: @escaping @Sendable (sending Handle) -> Void) {
    self.remove = remove
  }

  func begin(_ handle: sending Handle) {
    let box = Box(handle)
    let isLate = state.withLock { state in
      if !state.hasEnded { state.box = box }
      return state.hasEnded
    }
    // The listener has ended its stream while it was registered.
    if isLate { removeHandle(in: box) }
  }

  func end() {
    let box = state.withLock { state in
      state.hasEnded = true
      return state.box.take()
    }
    if let box { removeHandle(in: box) }
  }

  private func removeHandle(in box: Box) {
    if let handle = box.take() { remove(handle) }
  }
}
