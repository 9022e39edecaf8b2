import CausewayBasics
import Synchronization

/// The newest value of a sequence, which many pages follow through one reading.
///
/// The reading follows the sequence once. Each page gets its own stream, which begins with the newest
/// value. A page that shows only a part of the value names the changes that matter to it, so other
/// changes cost it nothing:
///
/// ```swift
/// let board = SharedReading({ activities.stream() }) { old, new in
///   Set(old.map(\.host)).symmetricDifference(new.map(\.host))
/// }
/// for try await activities in board.stream(where: { $0.contains(person) }) { show(activities) }
/// ```
///
/// Use it from any isolation. It stops when it is released.
public final class SharedReading<Value: Sendable, Change: Sendable>: Sendable {
  private let followers: Followers<Value, Change>

  /// Follows a sequence.
  ///
  /// - Parameters:
  ///   - open: Begins to read the sequence. Called again after a failure, for the next new stream.
  ///   - change: Returns what differs between two values. Called once for each new value.
  public init<Values: AsyncSequence & Sendable>(
    _ open: @escaping @Sendable () -> Values,
    change: @escaping @Sendable (_ old: Value, _ new: Value) -> Change
  ) where Values.Element == Value {
    followers = Followers(change) { receive in
      for try await value in open() { receive(value) }
    }
    followers.read()
  }

  /// Follows what a function reads.
  ///
  /// There is no stream between the reader and the pages. This saves a task switch for each value.
  ///
  /// - Parameters:
  ///   - read: Passes each new value on, until it is cancelled or fails. The calls of `receive` must
  ///     not overlap. Called again after a failure, for the next new stream.
  ///   - change: Returns what differs between two values. Called once for each new value.
  public init(
    reading read:
      @escaping @Sendable (
        _ receive: @escaping @Sendable (Value) -> Void
      ) async throws -> Void,
    change: @escaping @Sendable (_ old: Value, _ new: Value) -> Change
  ) {
    followers = Followers(change, read)
    followers.read()
  }

  deinit { followers.stop() }

  /// Waits for the end of the first read, whether it succeeded or failed.
  public func firstRead() async {
    await followers.firstRead.value
  }

  /// The newest value; nil while there is none, as after a failure.
  ///
  /// Reads under a lock.
  public var value: Value? { followers.value }

  /// Follows the value: yields it at once and after the changes that matter.
  ///
  /// A slow consumer gets only the newest value. A failure of the sequence ends all streams with the
  /// error. The next new stream makes the reading begin again, for all. After ``stop()``, a new
  /// stream ends at once.
  ///
  /// - Parameters:
  ///   - page: The page that reads the stream, so that ``yieldAgain(to:)`` finds it.
  ///   - matters: Returns whether a change matters; `nil` if all matter. Called for each change.
  public func stream(
    for page: ObjectIdentifier? = nil, where matters: (@Sendable (Change) -> Bool)? = nil
  ) -> AsyncThrowingStream<Value, any Error> {
    followers.stream(page, matters)
  }

  /// Yields the newest value to the streams of a page, because other changes matter to it now.
  ///
  /// Complexity: O(*n*) in the number of streams.
  public func yieldAgain(to page: ObjectIdentifier) { followers.yieldAgain(to: page) }

  /// Ends the reading.
  public func stop() { followers.stop() }
}

/// The streams of a reading, and the task that reads for them.
///
/// The task retains this object and not the reading, so the reading can be released.
private final class Followers<Value: Sendable, Change: Sendable>: Sendable {
  typealias Receive = @Sendable (Value) -> Void

  private struct Follower {
    let page: ObjectIdentifier?
    let matters: (@Sendable (Change) -> Bool)?
    let buffer: StreamBuffer<Value>
  }

  private struct State {
    var value: Value?
    /// The task that follows the sequence; `nil` after a failure.
    var reading: Task<Void, Never>?
    var isStopped = false
    var followers: [Int: Follower] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let change: @Sendable (Value, Value) -> Change
  private let follow: @Sendable (_ receive: @escaping Receive) async throws -> Void
  /// Ends after the first read.
  ///
  /// It is a task, because a cancelled waiter must not end the wait of others.
  let firstRead: Task<Void, Never>
  private let firstReadEnded: AsyncStream<Never>.Continuation

  init(
    _ change: @escaping @Sendable (Value, Value) -> Change,
    _ follow: @escaping @Sendable (_ receive: @escaping Receive) async throws -> Void
  ) {
    (self.change, self.follow) = (change, follow)
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    firstReadEnded = continuation
    firstRead = Task { for await _ in stream {} }
  }

  var value: Value? { state.withLock(\.value) }

  /// Starts to follow the sequence, unless it is followed already.
  func read() {
    state.withLock { state in
      guard state.reading == nil, !state.isStopped else { return }
      state.reading = Task {
        do {
          try await follow { value in
            self.publish(value)
            self.firstReadEnded.finish()
          }
          end(nil)
        } catch {
          // Each page also gets the error and shows the problem.
          end(error)
        }
        firstReadEnded.finish()
      }
    }
  }

  func stop() {
    let reading = state.withLock { state in
      state.isStopped = true
      return state.reading
    }
    reading?.cancel()
  }

  /// Complexity: O(*n*) in the number of streams.
  private func publish(_ value: Value) {
    // New streams begin with the new value, and pages to which other changes matter from now on get
    // it from `yieldAgain`. The calls of this function do not overlap, so no stream gets an older
    // value.
    let (old, followers) = state.withLock { state in
      defer { state.value = value }
      return (state.value, state.followers.values)
    }
    let changed = old.map { change($0, value) }
    // The streams to which all changes matter come first, because all pages may show them.
    for isWhole in [true, false] {
      var wakeups = Wakeups<Value>()
      for follower in followers where (follower.matters == nil) == isWhole {
        if let changed, follower.matters?(changed) == false { continue }
        follower.buffer.add(value, &wakeups)
      }
      wakeups.resume()
    }
  }

  func yieldAgain(to page: ObjectIdentifier) {
    let wakeups = state.withLock { state in
      var wakeups = Wakeups<Value>()
      guard let value = state.value else { return wakeups }
      // Added under the lock, so no stream gets an older value after a newer one.
      for follower in state.followers.values where follower.page == page {
        follower.buffer.add(value, &wakeups)
      }
      return wakeups
    }
    wakeups.resume()
  }

  private func end(_ error: (any Error)?) {
    let followers = state.withLock { state in
      state.value = nil
      state.reading = nil
      defer { state.followers = [:] }
      return state.followers.values
    }
    var wakeups = Wakeups<Value>()
    for follower in followers { follower.buffer.end(throwing: error, &wakeups) }
    wakeups.resume()
  }

  /// A stream that is registered when this returns.
  func stream(
    _ page: ObjectIdentifier?, _ matters: (@Sendable (Change) -> Bool)?
  ) -> AsyncThrowingStream<Value, any Error> {
    let follower: (number: Int, buffer: StreamBuffer<Value>)? = state.withLock { state in
      if state.isStopped { return nil }
      let buffer = StreamBuffer(state.value, buffering: .latest)
      state.last += 1
      state.followers[state.last] = Follower(page: page, matters: matters, buffer: buffer)
      return (state.last, buffer)
    }
    guard let (number, buffer) = follower else { return AsyncThrowingStream { nil } }
    read()
    return buffer.throwingStream { [weak self] in
      // The follower is released after the unlock.
      _ = self?.state.withLock { $0.followers.removeValue(forKey: number) }
    }
  }
}
