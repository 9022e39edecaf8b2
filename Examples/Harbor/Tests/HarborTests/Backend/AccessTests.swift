import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Testing

@testable import HarborBackend

@Suite(TestStore.isAvailable) struct `Access to the backend` {
  @Test func `an invitation makes its reader a member, also when it is read twice`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      var ben = try await server.member("Ben")
      _ = try await ana.send(.create(record("Row")))
      let invitation: Backend.Invitation = try await ana.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      for _ in 1...2 {
        let group: GroupRecord = try await ben.network.value(
          for: Endpoint(.post, "/invitations/accept", body: invitation))
        #expect(group == GroupRecord(id: ana.group, name: "Club"))
      }
      let groups: CollectionPage<GroupRecord> = try await ben.network.value(
        for: Endpoint(.get, "/accounts/\(ben.account)/groups"))
      #expect(groups.records.map(\.id).sorted() == [ana.group, ben.group].sorted())
      ben.group = ana.group
      #expect(try await ben.list().map(\.title) == ["Row"])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a sign-out ends the event streams of the device`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      var streams: [NetworkEventStream.AsyncIterator] = []
      for request in [
        NetworkRequest(.get, "/groups/\(ana.group)/activities/events"),
        NetworkRequest(.get, "/accounts/\(ana.account)/groups/events"),
      ] {
        var events = ana.network.events(for: request).makeAsyncIterator()
        #expect(try await events.next()?.name == "version")
        streams.append(events)
      }
      _ = try await ana.network.response(for: NetworkRequest(.delete, "/tokens"))
      for var events in streams {
        // The client reconnects after the end of a stream. The server then refuses the token.
        let error = await #expect(throws: NetworkError.self) {
          while try await events.next() != nil {}
        }
        #expect(error?.status == 401)
      }
    }
  }
}
