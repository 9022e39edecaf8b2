import CausewayData
import Foundation
import HarborDomain
import TestSupport
import Testing

/// Records that a later version or another program has written.
@Suite(TestStore.isAvailable) struct `A record that cannot be read` {
  private static let body = #"{"id":"bad","title":7}"#

  @Test func `is reported, keeps no other record from being read, and can be deleted`()
    async throws
  {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      _ = try await ana.send(
        .create(record("Row", id: "row")), .create(record("Bad", id: "bad")),
        .create(record("Swim", id: "swim")))
      try await store.write {
        _ = try $0.execute("UPDATE record SET body = \(Self.body) WHERE id = 'bad'")
      }
      let reported = Log<UnreadableRecord>()
      let source = CollectionSource<ActivityMutation>("activities", on: ana.network) {
        reported.append($0)
      }
      #expect(try await source.snapshot(ana.request).records.map(\.id) == ["row", "swim"])
      let report = try #require(reported.all.first)
      #expect(reported.all.count == 1 && report.collection == "activities" && report.id == "bad")
      #expect("\(report)".contains("“bad”"))

      let refused = try await ana.send(
        .join(id: "bad", person: "Ben"), .leave(id: "bad", person: "Ana"),
        .create(record("Again", id: "bad")))
      #expect(refused.map { $0.refusal?.contains("cannot read") } == [true, true, true])
      #expect(try await ana.send(.delete(id: "bad")).map(\.refusal) == [nil])
      let changes = try await source.changes(since: SyncVersion(0), ana.request)
      guard case .changes(let records, let deleted, let version, _) = changes else {
        Issue.record("The server sent no changes.")
        return
      }
      #expect(records.map(\.id) == ["row", "swim"] && deleted == ["bad"])
      #expect(version == SyncVersion(4))
    }
  }

  @Test(arguments: ["[]", "7", "null", #"{"id":7}"#])
  func `may have no id`(body: String) throws {
    let page = try JSONDecoder().decode(
      CollectionPage<GroupRecord>.self,
      from: Data(
        #"{"records":[\#(body),{"id":"a","name":"Club"}],"deleted":[],"version":1,"hasMore":false}"#
          .utf8))
    #expect(page.records.map(\.id) == ["a"])
  }

  @Test func `as a version cannot overflow the versions`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      _ = try await ana.send(.create(record("Row", id: "row")))
      try await store.write {
        _ = try $0.execute("UPDATE feed SET version = \(Int64.max) WHERE collection = 'activities'")
      }
      let answers = try await ana.send(.delete(id: "row"), .join(id: "row", person: "Ana"))
      #expect(answers.map { $0.refusal == nil } == [false, true])
      #expect(try await ana.list().map(\.id) == ["row"])
    }
  }
}
