package import HarborDomain
import Synchronization

/// What the open pages of a board show, which decides the part of the board that is read.
package final class BoardReach: Sendable {
  private struct State {
    var holds: [Int: Activities.Reach] = [:]
    var last = 0
    var signal: AsyncStream<Void>.Continuation?
  }

  private let state = Mutex(State())

  package init() {}

  /// Keeps something within reach as long as a page retains it.
  package final class Hold: Sendable {
    private let reach: BoardReach
    private let number: Int

    fileprivate init(_ reach: BoardReach, _ number: Int) {
      (self.reach, self.number) = (reach, number)
    }

    deinit { _ = reach.state.withLock { $0.holds.removeValue(forKey: number) } }
  }

  /// Extends the reach.
  package func hold(_ part: Activities.Reach) -> Hold {
    let (number, signal) = state.withLock { state in
      state.last += 1
      state.holds[state.last] = part
      return (state.last, state.signal)
    }
    signal?.yield()
    return Hold(self, number)
  }

  /// What all open pages show.
  var all: Activities.Reach {
    state.withLock(\.holds).values.reduce(into: Activities.Reach()) { $0.formUnion($1) }
  }

  /// Yields after each extension, for one reading at a time.
  func extensions() -> AsyncStream<Void> {
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let last = state.withLock { state in
      defer { state.signal = signal }
      return state.signal
    }
    last?.finish()
    return stream
  }
}
