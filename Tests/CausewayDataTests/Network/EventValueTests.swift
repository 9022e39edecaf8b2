import CausewayData
import CausewayDataTesting
import TestSupport
import Testing

@testable import CausewayNetwork

@Suite("Typed events and hints", .timeLimit(.minutes(10))) struct EventValueTests {
  private struct Price: Codable, Equatable, Sendable {
    var cents: Int
  }

  private let network = ScriptedNetworkService()

  @Test func `events are decoded, and other names are ignored`() async throws {
    network.on(
      .get, "/prices",
      .events([
        .init(data: #"{"cents":1}"#), .init(name: "ping", data: ""),
        .init(name: "message", data: #"{"cents":2}"#),
      ]))
    var prices: [Price] = []
    for try await price in network.events(for: Endpoint<Price>(.get, "/prices"), named: "message") {
      prices.append(price)
    }
    #expect(prices == [Price(cents: 1), Price(cents: 2)])
  }

  @Test func `an event that cannot be decoded ends the sequence with an error`() async throws {
    network.on(.get, "/prices", .events([.init(data: #"{"cents":1}"#), .init(data: "no")]))
    var iterator = network.events(for: Endpoint<Price>(.get, "/prices")).makeAsyncIterator()
    #expect(try await iterator.next() == Price(cents: 1))
    let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
    #expect(error?.kind == .decoding)
  }

  @Test func `any sequence can be the hints of a source`() async throws {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let hints = AsyncThrowingStream.hints(of: numbers)
    var iterator = hints.makeAsyncIterator()
    continuation.yield(1)
    #expect(try await iterator.next() != nil)
    continuation.yield(2)
    #expect(try await iterator.next() != nil)
    continuation.finish()
    #expect(try await iterator.next() == nil)
  }

  @Test func `a failed sequence fails its hints, and a released one stops its sequence`()
    async throws
  {
    struct Broken: Error {}
    let broken = AsyncThrowingStream<Int, any Error> { throw Broken() }
    var iterator = AsyncThrowingStream.hints(of: broken).makeAsyncIterator()
    await #expect(throws: Broken.self) { try await iterator.next() }

    let ended = Gate()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in ended.open() }
    var hints: AsyncThrowingStream<Void, any Error>? = .hints(of: numbers)
    _ = hints
    hints = nil
    await ended.wait()
  }
}
