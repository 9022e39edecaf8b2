import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

private struct Berth: Identifiable, Sendable {
  var id: Int
}

/// Berths in pages of two.
private struct HarbourServer: Sendable {
  func berths(in harbour: String, after cursor: Int?) async throws -> ResourcePage<Berth, Int> {
    let start = cursor ?? 0
    return ResourcePage(
      [Berth(id: start), Berth(id: start + 1)], next: start < 2 ? start + 2 : nil)
  }
}

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

  private func text(of charts: ResourceCache<String, [UInt8]>) -> String {
    // snippet
    let status = charts.status(of: "Kiel")
    let text = status.isLoading ? "loading" : status.hasFailed ? "failed" : "\(status.freshness)"
    // end
    return text
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
    #expect(text(of: charts) == "missing")
    #expect(try await charts.value(for: "Kiel") == Array("chart".utf8))
    #expect(text(of: charts) == "fresh")
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    continuation.yield("foreground")
    continuation.finish()
    await control(charts, DataFreshness(), events)
    #expect(try await charts.value(for: "Kiel") == Array("chart".utf8))
    #expect(server.requests.all.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
  }

  @Test func `a list grows page by page`() async throws {
    let harbour = HarbourServer()
    // snippet
    let pages = ResourceCache<ResourcePageKey<String, Int>, ResourcePage<Berth, Int>> { key in
      try await harbour.berths(in: key.list, after: key.cursor)
    }
    let berths = PagedResource("Kiel", in: pages)
    let first = try await berths.loadNextPage()
    let all = try await berths.loadNextPage()  // when the end of the list is visible
    try await berths.refresh()
    // end
    #expect(first.map(\.id) == [0, 1])
    #expect(all.map(\.id) == [0, 1, 2, 3])
    #expect(await !berths.hasNextPage)
  }

  @Test func `an effect sets and follows a draft`() async throws {
    let path = NSTemporaryDirectory() + "causeway-\(UUID().uuidString)"
    defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let draft = Draft(text: "ahoy")
    let drafts = await ObservableStore(backing: FileBacking<Int, Draft>(path: path))
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
