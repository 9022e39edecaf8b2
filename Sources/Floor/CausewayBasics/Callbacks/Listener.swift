import Synchronization

/// Delivers the elements of a listener to its stream.
///
/// All functions may be called on any thread.
public struct Listener<Element: Sendable>: Sendable {
  private let continuation: AsyncThrowingStream<Element, any Error>.Continuation

  init(_ continuation: AsyncThrowingStream<Element, any Error>.Continuation) {
    self.continuation = continuation
  }

  /// Delivers an element.
  ///
  /// After the end, this does nothing.
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
  /// Returns a stream of the elements that a listener delivers.
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
  /// The listener is registered before this function returns, so no element is missed. It is removed
  /// exactly once: when the stream ends, when its consumer is cancelled, or when the stream is
  /// released.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: The elements that are kept for a slow consumer. The default keeps only
  ///     the newest element, which is enough for states. Events need `.unbounded`, or a limit that
  ///     the source respects.
  ///   - register: Registers the listener and returns its registration. It is called once, before
  ///     this function returns. It is `@Sendable`, so closures inside it are not isolated to an
  ///     actor. A closure that is isolated to the main actor would trap on another thread.
  ///   - remove: Removes the registration. Called on any thread.
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

/// Removes a registration once, even if the stream ends before the registration is available.
private final class Removal<Handle>: Sendable {
  /// Holds a registration, which may not be `Sendable`.
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
    // The listener ended the stream while it was being registered.
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
