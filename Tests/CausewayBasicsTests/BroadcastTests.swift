import CausewayBasics
import Synchronization
import TestSupport
import Testing

/// Values reach all streams, even while other streams begin and end.
@Suite(.timeLimit(.minutes(10)))
struct `A broadcast` {
  @Test func `delivers every value in one order to all streams while many threads send`()
    async
  {
    let broadcast = Broadcast<Int>(nil, buffering: .everything)
    let (senders, values) = (4, scaled(2000))
    let lists = await watched("A broadcast with many senders") {
      await withTaskGroup(of: [Int].self) { group in
        for _ in 0..<4 {
          let stream = broadcast.stream()
          group.addTask {
            var list: [Int] = []
            for await value in stream { list.append(value) }
            return list
          }
        }
        await withDiscardingTaskGroup { sending in
          for sender in 0..<senders {
            sending.addTask {
              for value in 0..<values { broadcast.send(sender * values + value, beginning: nil) }
            }
          }
        }
        broadcast.finish()
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(lists[0].sorted() == Array(0..<senders * values))
    for sender in 0..<senders {
      let sent = lists[0].filter { $0 / values == sender }
      #expect(sent == sent.sorted(), "A sender's values keep their order.")
    }
    for list in lists { #expect(list == lists[0]) }
  }

  @Test(arguments: [StreamBuffer<Int>.Buffering.latest, .everything])
  func `does not stand still while its consumers are cancelled`(
    _ buffering: StreamBuffer<Int>.Buffering
  ) async throws {
    let broadcast = Broadcast<Int>(0, buffering: buffering)
    try await watched("A broadcast whose consumers are cancelled") {
      try await cancelConsumers(rounds: 5000) {
        var last = -1
        for await value in broadcast.stream() {
          // A stream begins with the latest value and misses none if it keeps everything.
          #expect(buffering == .everything && last >= 0 ? value == last + 1 : value > last)
          last = value
        }
      } while: {
        broadcast.send($0 + 1, beginning: $0 + 1)
      }
    }
    await until { broadcast.count == 0 }
    #expect(broadcast.count == 0)
  }

  @Test func `begins a stream with the first value, and ends it after the values that were sent`()
    async
  {
    let broadcast = Broadcast(1, buffering: .everything)
    let early = broadcast.stream()
    broadcast.send(2, beginning: 20)
    let late = broadcast.stream()
    broadcast.send(3, beginning: 30)
    broadcast.finish()
    broadcast.send(4, beginning: 40)
    #expect(await early.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(await late.reduce(into: []) { $0.append($1) } == [20, 3])
    #expect(await broadcast.stream().reduce(into: []) { $0.append($1) } == [40])
    #expect(broadcast.count == 0)
  }

  @Test func `keeps only the newest value for a slow consumer`() async {
    let broadcast = Broadcast(0, buffering: .latest)
    let stream = broadcast.stream()
    for value in 1...5 { broadcast.send(value, beginning: value) }
    broadcast.finish()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [5])
  }

  @Test func `releases no value under its lock`() async {
    let broadcast = Broadcast<Releasing>(nil, buffering: .latest)
    let stream = broadcast.stream()
    await watched("A broadcast whose values use it when they are released") {
      // The release of each value reads the broadcast's lock.
      for _ in 0..<3 { broadcast.send(Releasing(broadcast), beginning: Releasing(broadcast)) }
      broadcast.finish()
      for await _ in stream {}
    }
    broadcast.send(Releasing(broadcast), beginning: nil)
    #expect(broadcast.count == 0)
  }

  private final class Releasing: Sendable {
    private let broadcast: Broadcast<Releasing>

    init(_ broadcast: Broadcast<Releasing>) { self.broadcast = broadcast }

    deinit { _ = broadcast.count }
  }
}

/// The error of a stream that several consumers share.
@Suite(.timeLimit(.minutes(10)))
struct `A stream buffer` {
  private struct Failure: Error {}

  @Test func `delivers its values before its error`() async {
    let buffer = StreamBuffer(1, buffering: .everything)
    var wakeups = Wakeups<Int>()
    buffer.add(2, &wakeups)
    buffer.end(throwing: Failure(), &wakeups)
    buffer.add(3, &wakeups)
    wakeups.resume()
    var values: [Int] = []
    await #expect(throws: Failure.self) {
      for try await value in buffer.throwingStream(onRelease: {}) { values.append(value) }
    }
    #expect(values == [1, 2])
  }

  private final class Releases: Sendable {
    private let releases = Atomic(0)
    var number: Int { releases.load(ordering: .relaxed) }
    func count() { releases.add(1, ordering: .relaxed) }
  }

  private enum Ending: CaseIterable { case released, cancelled, ended }

  @Test(arguments: Ending.allCases)
  private func `tells its sender once that its stream is not iterated any more`(
    _ ending: Ending
  ) async throws {
    let buffer = StreamBuffer<Int>(ending == .released ? 1 : nil, buffering: .latest)
    let releases = Releases()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [stream = buffer.throwingStream { releases.count() }] in
        for try await _ in stream { break }
      }
      if ending == .cancelled { group.cancelAll() }
      if ending == .ended {
        var wakeups = Wakeups<Int>()
        buffer.end(&wakeups)
        wakeups.resume()
      }
      try await group.waitForAll()
    }
    await until { releases.number > 0 }
    #expect(releases.number == 1)
  }
}

/// A value that many streams follow.
@Suite(.timeLimit(.minutes(10)))
struct `A published value` {
  @Test func `loses no change of many threads, and every stream ends with the last value`()
    async
  {
    let published = CurrentValue(0)
    let count = scaled(5000)
    await watched("A published value with many writers") {
      await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<3 {
          let stream = published.stream()
          group.addTask {
            var last = -1
            for await value in stream {
              #expect(value > last)
              last = value
              if value == 2 * count { break }
            }
            return last
          }
        }
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<count { published.update { $0 += 1 } }
            return nil
          }
        }
        for await last in group { #expect(last == nil || last == 2 * count) }
      }
    }
    #expect(published.value == 2 * count)
  }

  @Test func `tells whether it changed, and sends no equal value`() async {
    let published = CurrentValue("a")
    let stream = published.stream()
    #expect(!published.set("a"))
    #expect(published.set("b"))
    #expect(!published.update { $0 = "b" })
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "b")
    #expect(published.set("c"))
    #expect(await iterator.next() == "c")
  }
}
