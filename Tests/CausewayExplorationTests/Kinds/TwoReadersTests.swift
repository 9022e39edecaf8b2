import Synchronization
import Testing

@testable import CausewayExploration

/// Gives each reader a stream of its own only if it is mended.
private final class News: Sendable {
  private let shared = AsyncStream.makeStream(of: Int.self)
  private let own = Mutex<[AsyncStream<Int>.Continuation]>([])
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  func values() -> AsyncStream<Int> {
    guard isMended else { return shared.stream }
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    own.withLock { $0.append(continuation) }
    return stream
  }

  func send(_ values: [Int]) {
    for continuation in [shared.continuation] + own.withLock({ $0 }) {
      for value in values { continuation.yield(value) }
      continuation.finish()
    }
  }
}

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  {
    let news = News(isMended: isMended)
    let streams = [news.values(), news.values()]
    let readers = streams.map { stream in Task { await stream.reduce(0, +) } }
    news.send([1, 2])
    for reader in readers {
      let sum = await reader.value
      try require(sum == 3, "a reader has missed a value")
    }
  }
}

struct TwoReadersTests {
  @Test func `two readers that share the values of a stream are found`() {
    #expect(explore(body(isMended: false)).failure?.reason.contains("missed a value") == true)
  }

  @Test func `a stream for each reader passes`() {
    let orders = explore(trials: 1_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }
}
