import CausewayBasics
import CausewaySystem
import Foundation
import Synchronization

/// One thread that waits for the sockets of all connections.
///
/// A task that waits for an answer of a server is suspended here and blocks no thread of its own.
final class Readiness: Sendable {
  static let shared = Readiness()

  enum Outcome: Sendable { case ready, timedOut, cancelled }

  private struct Wait: Sendable {
    var socket: Int32
    var events: Int16
    var deadline: ContinuousClock.Instant
    var waiter: Waiter<Outcome>
  }

  private struct State {
    var waits: [Wait] = []
    var isRunning = false
    /// Whether the thread blocks and the pipe holds no byte for it.
    var isBlocked = false
  }

  private let state = Mutex(State())
  /// A pipe that wakes the thread; `nil` if the process has too many open files.
  private let pipe: (output: Int32, input: Int32)?

  private init() {
    var ends: [Int32] = [-1, -1]
    if CausewaySystem.pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      pipe = (ends[0], ends[1])
    } else {
      pipe = nil
    }
  }

  /// Suspends the task until a socket can be read or written, or until a deadline.
  ///
  /// - Parameters:
  ///   - socket: The socket; -1 to wait only for the deadline.
  ///   - events: A combination of `POLLIN` and `POLLOUT`.
  ///   - isCancellable: Whether a cancellation of the task ends the wait.
  func wait(
    for socket: Int32, _ events: Int16, until deadline: ContinuousClock.Instant,
    isCancellable: Bool
  ) async -> Outcome {
    let waiter = Waiter<Outcome>()
    let wakes = state.withLock { state in
      state.waits.append(
        Wait(socket: socket, events: events, deadline: deadline, waiter: waiter))
      if !state.isRunning {
        state.isRunning = true
        Thread { self.run() }.start()
      }
      defer { state.isBlocked = false }
      return state.isBlocked
    }
    if wakes { wake() }
    return await waiter.value { waiter in
      guard isCancellable else { return }
      let isWaiting = state.withLock { state in
        guard let index = state.waits.firstIndex(where: { $0.waiter === waiter }) else {
          return false
        }
        state.waits.remove(at: index)
        return true
      }
      if isWaiting { waiter.resume(returning: .cancelled) }
    }
  }

  private func wake() {
    guard let pipe else { return }
    var byte: UInt8 = 0
    _ = write(pipe.input, &byte, 1)
  }

  private func run() {
    Thread.current.name = "causeway.pq.poll"
    while true {
      let waits = state.withLock { state in
        state.isBlocked = true
        return state.waits
      }
      var polled = waits.map { pollfd(fd: $0.socket, events: $0.events, revents: 0) }
      polled.append(pollfd(fd: pipe?.output ?? -1, events: Int16(POLLIN), revents: 0))
      let first = waits.map(\.deadline).min()
      var limit = first.map { pollTimeout(until: $0) } ?? 60_000
      // Without the pipe, the thread looks for new waits every millisecond.
      if pipe == nil { limit = min(limit, 1) }
      _ = poll(&polled, nfds_t(polled.count), limit)
      if polled[waits.count].revents != 0, let pipe {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(pipe.output, &bytes, bytes.count)
      }
      let now = ContinuousClock.now
      var ended: [(Waiter<Outcome>, Outcome)] = []
      for (wait, entry) in zip(waits, polled) {
        if entry.revents != 0 {
          ended.append((wait.waiter, .ready))
        } else if wait.deadline <= now {
          ended.append((wait.waiter, .timedOut))
        }
      }
      let resumed = state.withLock { state in
        state.isBlocked = false
        return ended.filter { waiter, _ in
          guard let index = state.waits.firstIndex(where: { $0.waiter === waiter }) else {
            return false
          }
          state.waits.remove(at: index)
          return true
        }
      }
      for (waiter, outcome) in resumed { waiter.resume(returning: outcome) }
    }
  }
}

/// Returns the milliseconds until a deadline, rounded up, at most a minute.
func pollTimeout(until deadline: ContinuousClock.Instant) -> Int32 {
  let left = deadline - .now
  if left <= .zero { return 0 }
  return Int32(exactly: min(left / .milliseconds(1), 59_999).rounded(.up)) ?? 60_000
}
