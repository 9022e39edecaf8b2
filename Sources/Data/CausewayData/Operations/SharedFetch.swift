import CausewayBasics
import Synchronization

/// One request of a ``DataReader``, and the callers that wait for its value.
///
/// The request is cancelled when its last waiting caller is cancelled, unless it is a background
/// refresh.
final class SharedFetch<Value: Sendable>: RunningFetch {
  typealias Caller = Waiter<Result<Value, any Error>>

  private struct State {
    var callers: [Caller] = []
    /// The callers that joined too late for this response.
    ///
    /// They read again when the request has ended.
    var followers: [Caller] = []
    /// Whether the request is a background refresh, which continues without a caller.
    var isKept = false
    /// Whether the request was already sent.
    var hasBegun = false
    /// Whether more callers may join.
    var isOpen = true
    var hasEnded = false
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Adds a caller; returns `false` if the value may be too old for this caller.
  ///
  /// If the response is already being stored, its value may be too old for the caller. The caller
  /// then gets the error ``ReadAgain`` when the fetch ends.
  ///
  /// - Parameter needsNewRequest: Whether the caller accepts only a request that begins after its
  ///   call.
  func join(_ caller: Caller, needsNewRequest: Bool = false) -> Bool {
    state.withLock { state in
      guard !state.hasEnded, !(needsNewRequest && state.hasBegun) else { return false }
      if state.isOpen { state.callers.append(caller) } else { state.followers.append(caller) }
      return true
    }
  }

  func keep() -> Bool {
    state.withLock { state in
      if state.isOpen { state.isKept = true }
      return state.isOpen
    }
  }

  /// Whether this is a background refresh; its failure is reported.
  var isKept: Bool { state.withLock(\.isKept) }

  /// Removes a cancelled caller.
  func leave(_ caller: Caller) {
    let (isWaiting, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      if state.followers.remove(caller) { return (true, nil) }
      guard state.callers.remove(caller) else { return (false, nil) }
      guard state.callers.isEmpty, !state.isKept else { return (true, nil) }
      state.isOpen = false
      return (true, state.task)
    }
    task?.cancel()
    if isWaiting { caller.resume(returning: .failure(CancellationError())) }
  }

  func attach(_ task: Task<Void, Never>) {
    state.withLock { $0.task = task }
  }

  var task: Task<Void, Never>? { state.withLock(\.task) }

  var callerCount: Int { state.withLock { $0.callers.count + $0.followers.count } }

  /// Records that the request is being sent now.
  func begin() {
    state.withLock { $0.hasBegun = true }
  }

  /// Refuses all further callers.
  ///
  /// Call it before checking whether the response is out of date. The check then covers every
  /// caller that has joined.
  func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Lets callers join the fetch again, until its next request is sent.
  func reopen() {
    // A fetch without callers was cancelled, so it stays closed.
    state.withLock { $0.isOpen = $0.isKept || !$0.callers.isEmpty }
  }

  /// Returns the result to all callers.
  func end(_ result: Result<Value, any Error>) {
    let (callers, followers) = state.withLock { state in
      (state.isOpen, state.hasEnded) = (false, true)
      defer { (state.callers, state.followers) = ([], []) }
      return (state.callers, state.followers)
    }
    for caller in callers { caller.resume(returning: result) }
    for follower in followers { follower.resume(returning: .failure(ReadAgain())) }
  }
}

/// Another request has stored its response; the caller must read the stored data again.
struct ReadAgain: Error {}

/// A fetch of a value of any type.
protocol RunningFetch: AnyObject, Sendable {
  var task: Task<Void, Never>? { get }
  var callerCount: Int { get }

  /// Lets the fetch continue without a caller; returns `false` if its value may be too old.
  func keep() -> Bool
}
