import CausewayData
import CausewayHTTP
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// The code of the article on caches that controls loading.
@Suite(.timeLimit(.minutes(10)))
struct CacheControlTests {
  private func makeCharts(_ network: any NetworkService) -> ResourceCache<String, [UInt8]> {
    // snippet
    let charts = ResourceCache<String, [UInt8]>(validatingLoader: { name, validator in
      try await network.resource(for: .init(.get, "/charts/\(name)"), unlessMatching: validator)
    })
    // end
    return charts
  }

  private func makePolicy() -> ResourcePolicy {
    // snippet
    var policy = ResourcePolicy()
    policy.serverFreshness = .zero ... .seconds(86_400)
    // end
    return policy
  }

  private func control(
    _ charts: ResourceCache<String, [UInt8]>, _ freshness: DataFreshness,
    _ appEvents: AsyncStream<String>
  ) async {
    // snippet
    charts.invalidate("Kiel")
    let connection = freshness.join(charts) { name in ["charts", "chart of \(name)"] }
    freshness.invalidate(["charts"])
    await charts.refreshStale(on: appEvents) { ["Kiel"] }
    // end
    withExtendedLifetime(connection) {}
  }

  @Test func `an unchanged chart is not transferred again`() async throws {
    let server = try RawServer { request, connection in
      let isCurrent = request.headers["if-none-match"] == "\"1\""
      connection.send(
        isCurrent ? RawServer.answer(304) : RawServer.answer(200, ["ETag": "\"1\""], "chart"))
    }
    let url = try #require(URL(string: server.address))
    let charts = makeCharts(HTTPNetworkService(.init(address: url)))
    #expect(try await charts.value(for: "Kiel") == Array("chart".utf8))
    #expect(charts.cached("Kiel") == Array("chart".utf8))
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    continuation.yield("foreground")
    continuation.finish()
    await control(charts, DataFreshness(), events)
    #expect(try await charts.value(for: "Kiel") == Array("chart".utf8))
    #expect(server.requests.all.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
  }

  @Test func `an effect sets and follows a draft`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "draft")
    ])
    let draft = Draft(text: "ahoy")
    let drafts = await ObservableStore(
      backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
    let shown = Log<Draft?>()
    @Sendable func show(_ draft: Draft?) { shown.append(draft) }
    let following = Task {
      // snippet
      await drafts.set(draft, for: 7)
      for await draft in await drafts.values(for: 7) { show(draft) }
      // end
    }
    await shown.wait(for: 1)
    #expect(shown.all == [draft])
    following.cancel()
    await following.value
    try await drafts.close()
  }
}
