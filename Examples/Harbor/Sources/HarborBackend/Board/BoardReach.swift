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

  /// Keeps activities in the part that is read, as long as a page retains this object.
  package final class Hold: Sendable {
    private let reach: BoardReach
    private let number: Int

    fileprivate init(_ reach: BoardReach, _ number: Int) {
      (self.reach, self.number) = (reach, number)
    }

    deinit { _ = reach.state.withLock { $0.holds.removeValue(forKey: number) } }
  }

  /// The largest number of days at which the open pages can begin, because each day costs memory.
  static let mostDays = 64

  /// Extends the reach; returns `nil` if the open pages begin at too many days.
  package func hold(_ part: Activities.Reach) -> Hold? {
    let new: (number: Int, signal: AsyncStream<Void>.Continuation?)? = state.withLock { state in
      if !part.days.isEmpty {
        var days = Set(state.holds.values.flatMap(\.days.keys))
        days.formUnion(part.days.keys)
        if days.count > Self.mostDays { return nil }
      }
      state.last += 1
      state.holds[state.last] = part
      return (state.last, state.signal)
    }
    new?.signal?.yield()
    return new.map { Hold(self, $0.number) }
  }

  /// What all open pages show.
  var all: Activities.Reach {
    state.withLock(\.holds).values.reduce(into: Activities.Reach()) { $0.formUnion($1) }
  }

  /// Yields after each extension, to the latest caller only.
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
