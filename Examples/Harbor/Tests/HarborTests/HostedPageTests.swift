import CausewayData
import CausewaySQLite
import CausewaySyncServer
import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// Pages that work on the functions and the database of the backend in their process.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A hosted page` {
  @Test func `has stored a change when the call returns, and other pages show it`() async throws {
    try await HostedPages.with { pages in
      let activity = try await pages.board().create(pages.details("Swim"), host: HostedPages.ana)
      #expect(try await pages.count("activities") == 1)
      let shown = try await pages.board("b").activities().element { !$0.isEmpty }
      #expect(shown.map(\.id) == [activity.id])
      #expect(shown.allSatisfy { !$0.isPending })
      try await pages.board("b").join(activity.id, as: PersonName(stored: "Ben"))
      let joined = try await pages.board().activities().element {
        $0.first?.participants.count == 2
      }
      #expect(joined[0].participants.map(\.text) == ["Ana", "Ben"])
      try await pages.board().leave(activity.id, as: HostedPages.ana)
      try await pages.board().delete(activity.id)
      _ = try await pages.board("b").activities().element(where: \.isEmpty)
      #expect(try await pages.count("activities") == 0)
    }
  }

  @Test func `shows the activities by their start`() async throws {
    try await HostedPages.with { pages in
      for hours in [30.0, 10, 20] {
        try await pages.board().create(
          pages.details("In \(hours)", hours: hours), host: HostedPages.ana)
      }
      let shown = try await pages.board().activities().element { $0.count == 3 }
      #expect(shown.map(\.details.title) == ["In 10.0", "In 20.0", "In 30.0"])
      _ = try await pages.board().update(
        shown[0].id, to: pages.details("Later", hours: 25), basedOn: 1)
      try await pages.board().join(shown[2].id, as: PersonName(stored: "Ben"))
      let moved = try await pages.board().activities().element {
        $0.last?.participants.count == 2
      }
      #expect(moved.map(\.details.title) == ["In 20.0", "Later", "In 30.0"])
      try await pages.board().delete(shown[1].id)
      let rest = try await pages.board().activities().element { $0.count == 2 }
      #expect(rest.map(\.details.title) == ["Later", "In 30.0"])
    }
  }

  @Test func `gets the changes of devices, and devices get its changes`() async throws {
    try await HostedPages.with { pages in
      let group = try #require(try await pages.open().group).id
      let activity = try await pages.board().create(pages.details("Swim"), host: HostedPages.ana)
      let records = Records(place: .group(group), collection: "activities")
      let page = try await pages.store.read { try records.page(since: nil, in: $0) }
      #expect(String(decoding: page, as: UTF8.self).contains(activity.id))
      // A device sends a change.
      try await pages.store.write { transaction in
        _ = try Rules.activities.apply(
          SentChange(key: "k", mutation: .join(id: activity.id, person: "Ben")),
          at: .group(group), as: "local", on: Date(), within: Quotas(), in: transaction)
      }
      _ = try await pages.board().activities().element { $0.first?.participants.count == 2 }
    }
  }

  @Test func `gets the reason when a change is refused`() async throws {
    var quotas = Quotas()
    quotas[.activities] = 1
    try await HostedPages.with(quotas: quotas) { pages in
      try await pages.board().create(pages.details("Swim"), host: HostedPages.ana)
      let error = await #expect(throws: ActivityError.self) {
        try await pages.board().create(pages.details("Row"), host: HostedPages.ana)
      }
      #expect(error?.description.contains("the limit is 1") == true)
      #expect(try await pages.count("activities") == 1)
      let link = LinkRecord(id: "tides", target: "https://example.org", created: 0)
      try await pages.page().links.add(link)
      let taken = await #expect(throws: ActivityError.self) {
        try await pages.page("b").links.add(link)
      }
      #expect(taken?.description.contains("is taken") == true)
    }
  }

  @Test func `cannot change an activity that was deleted or changed meanwhile`() async throws {
    try await HostedPages.with { pages in
      let board = try await pages.board()
      let activity = try await board.create(pages.details("Swim"), host: HostedPages.ana)
      let changed = try await board.update(
        activity.id, to: pages.details("Row"), basedOn: activity.revision)
      #expect(changed.details.title == "Row" && changed.revision == 2)
      // Equal details change nothing.
      let same = try await board.update(activity.id, to: changed.details, basedOn: 1)
      #expect(same.revision == 2)
      await #expect(throws: ActivityError.changedMeanwhile(current: changed)) {
        try await board.update(activity.id, to: pages.details("Walk"), basedOn: 1)
      }
      try await board.delete(activity.id)
      await #expect(throws: ActivityError.deleted) {
        try await board.join(activity.id, as: HostedPages.ana)
      }
      await #expect(throws: ActivityError.deleted) {
        try await board.update(activity.id, to: pages.details("Walk"), basedOn: 2)
      }
      try await board.leave(activity.id, as: HostedPages.ana)
      try await board.delete(activity.id)
    }
  }

  @Test func `keeps one browser from filling the board, and no other browser`() async throws {
    try await HostedPages.with(creationsPerMinute: 1) { pages in
      try await pages.board("a").create(pages.details("1"), host: HostedPages.ana)
      // Another page of the browser has no allowance of its own.
      await #expect(throws: ActivityError.self) {
        try await pages.board("a").create(pages.details("2"), host: HostedPages.ana)
      }
      try await pages.board("b").create(pages.details("3"), host: HostedPages.ana)
    }
  }

  @Test(arguments: [
    ("light", ["Row to the lighthouse"]), ("LIGHTHOUSE row", ["Row to the lighthouse"]),
    ("li to", []), ("ro lighthouse", []), ("creme", ["Crème brûlée"]),
    ("ana", ["Crème brûlée", "Row to the lighthouse"]), ("house", []), ("…", []),
  ])
  func `finds activities by their words, and the last word by its beginning`(
    text: String, titles: [String]
  ) async throws {
    try await HostedPages.with { pages in
      for title in ["Row to the lighthouse", "Crème brûlée"] {
        try await pages.board().create(pages.details(title), host: HostedPages.ana)
      }
      let found = try await pages.page().search.results(of: text, limit: 50).element { _ in true }
      #expect(found.rows.map(\.details.title).sorted() == titles && found.total == titles.count)
    }
  }

  @Test func `keeps the results of a search up to date`() async throws {
    try await HostedPages.with { pages in
      let found = try await pages.page().search.results(of: "swim", limit: 50)
      var results = found.makeAsyncIterator()
      #expect(try await results.next() == SearchResults())
      try await pages.board().create(pages.details("Row"), host: HostedPages.ana)
      try await pages.board().create(pages.details("Swim"), host: HostedPages.ana)
      #expect(try await results.next()?.total == 1)
    }
  }

  @Test func `shows pictures of its own groups only`() async throws {
    try await HostedPages.with { pages in
      let group = try #require(try await pages.open().group).id
      let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
      ]
      let id = try await pages.backend.add(picture: Data(png), to: group, as: "local")
      try await pages.page().people.setPicture(id, of: HostedPages.ana)
      let people = try await pages.page("b").people.people().element { !$0.isEmpty }
      #expect(people.map(\.picture) == [id])
      let page = try await PageTestClient(pages.server)
      let request = { Request(.get, "/pictures/\(group)/\(id)", headers: ["Cookie": $0]) }
      let answer = await pages.server.respond(to: request(page.cookies))
      #expect(try await Array(answer.bytes) == png)
      let zoe = try await pages.signIn(try await pages.signOut(page), as: "Zoe", "signUp")
      #expect(await pages.server.respond(to: request(zoe.cookies)).status == .notFound)
      #expect(await pages.server.respond(to: request("")).status == .unauthorized)
      let upload = Request(
        .post, "/pictures",
        headers: ["Cookie": zoe.cookies, "Content-Type": "application/octet-stream"])
      let refused = await pages.server.respond(to: upload) { _ in Data(png) }
      #expect(refused.status == .unauthorized)
    }
  }

  @Test func `says what to do for an empty search`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let page = try await pages.signUp("Zoe", path: "/search")
      let hint = "Type a word of what you are looking for."
      #expect(try await page.value("search.status") == hint)
      try await page.send(["search": ["text": "boat"]])
      let status = try await page.value("search.status", as: String.self) { $0 != hint }
      #expect(status == "" || status.hasPrefix("Nothing"))
      try await page.send(["search": ["text": " !? "]])
      #expect(try await page.value("search.status") { $0 == hint } == hint)
    }
  }

  @Test func `shows one name everywhere after a new one`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (page, _) = try await pages.found("Rowers", as: "Moritz")
      let other = try await PageTestClient(
        pages.server, path: "/account", cookies: page.cookies)
      try await page.send(["setName": ["name": "Skipper"]])
      #expect(try await page.value("account.name") { $0 == "Skipper" } == "Skipper")
      #expect(try await page.value("members.rows.0.name") { $0 == "Skipper" } == "Skipper")
      let again = try await other.renewed()
      #expect(try await again.value("account.name") == "Skipper")
      #expect(try await again.value("feed.you.name") == "Skipper")
      let out = try await pages.signOut(again)
      let back = try await pages.signIn(out, as: "Skipper")
      #expect(try await back.value("feed.you.name") { $0 == "Skipper" } == "Skipper")
    }
  }
}
