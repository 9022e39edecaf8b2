import CausewayData
import CausewaySQLite
import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborDomain
import Synchronization
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// Many people with browsers and accounts of their own on one host.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A club on one host` {
  nonisolated private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let groups = ["Rowers", "Sailors", "Divers"]

  /// The parts of the board that tests compare.
  private struct Day: Decodable {
    struct Card: Decodable { var title: String }
    var cards: [Card]
  }

  private struct Row: Decodable {
    var id: String
    var name: String
  }

  private func groups(of page: PageTestClient) async throws -> [String] {
    try await page.value("groups.rows", as: [Row].self) { !$0.isEmpty }.map(\.name)
  }

  private func board(of page: PageTestClient) async throws -> [String] {
    try await page.value("board.days", as: [Day].self) { !$0.isEmpty }
      .flatMap { $0.cards.map(\.title) }
  }

  private func add(_ title: String, on page: PageTestClient) async throws {
    // An activity cannot begin in the past.
    let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1
    let form = ActivityForm(title: title, start: "\(year)-01-20T18:00")
    try await page.send(["create": Creation(form: form)])
  }

  private struct Creation: Encodable, Sendable {
    var attempt = 0
    var form: ActivityForm
  }

  /// A page of each of twenty people, who have made accounts with invitations to three groups.
  private func members(_ pages: HostedPages) async throws -> [PageTestClient] {
    var codes: [String] = []
    for group in Self.groups {
      codes.append(try await Invitations.make(to: group, in: pages.store, at: Self.start))
    }
    var members: [PageTestClient] = []
    for number in 0..<20 {
      members.append(
        try await pages.signUp("Person \(number)", path: "/account", invitation: codes[number % 3]))
    }
    for (page, group) in zip(members, Self.groups) { try await add("With \(group)", on: page) }
    return members
  }

  /// Checks that a page is still that of a person, and shows only the person's groups.
  private func check(_ page: PageTestClient, _ number: Int) async throws {
    let group = Self.groups[number % 3]
    #expect(try await page.value("account.name") == "Person \(number)")
    #expect(try await groups(of: page) == [group])
    #expect(try await board(of: page) == ["With \(group)"])
  }

  @Test func `shows each of twenty people their own groups, whatever the others do`() async throws {
    try await HostedPages.with(
      signUp: .invitation, hasLocalAccount: false, now: { Self.start }
    ) { pages in
      let members = try await members(pages)
      for (number, page) in members.enumerated() { try await check(page, number) }

      // One signs out, and one founds a group and changes between the two.
      #expect(try await pages.signOut(members[0]).value("isSignedIn") == false)
      try await members[1].send(["foundGroup": ["name": "Walkers"]])
      let founder = try await members[1].renewed()
      #expect(try await groups(of: founder) == ["Sailors", "Walkers"])
      #expect(try await founder.value("board.isEmpty") == true)
      let sailors = try await founder.value("groups.rows.0.id", as: String.self)
      try await founder.send(["showGroup": ["id": sailors]])
      #expect(try await board(of: founder.renewed()) == ["With Sailors"])
      // The sessions of all other pages have not ended.
      for number in 2..<20 { try await check(members[number], number) }

      // A person signs in and out in a second browser, and stays signed in in the first one.
      let second = try await pages.signIn(
        try await PageTestClient(pages.server, path: "/account"), as: "Person 2")
      try await check(second, 2)
      #expect(try await second.value("browsers.rows.length") == 2)
      #expect(try await pages.signOut(second).value("isSignedIn") == false)
      try await check(members[2], 2)
      #expect(try await members[2].value("browsers.rows.length") { $0 == 1 } == 1)
    }
  }

  // Otherwise each page would compare hundreds of rows after each action.
  @Test func `shows the members only on the page of the account`() async throws {
    try await HostedPages.with(
      signUp: .invitation, hasLocalAccount: false, now: { Self.start }
    ) { pages in
      let code = try await Invitations.make(to: "Rowers", in: pages.store, at: Self.start)
      let zoe = try await pages.signUp("Zoe", invitation: code)
      let ben = try await pages.signUp("Ben", invitation: code)
      for (page, isPlain) in [(zoe, false), (ben, true)] {
        #expect(try await page.value("members.isEmpty") { !$0 } == false)
        #expect(try await page.value("members.rows.length") == 0)
        try await page.send(["visit": ["address": "/account"]])
        #expect(try await page.value("members.rows.length") { $0 == 2 } == 2)
        #expect(try await page.value("members.isPlain") == isPlain)
      }
    }
  }

  @Test func `lists the browsers of a person, and one ends another`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let phone = try await pages.signUp("Zoe", path: "/account")
      let desk = try await pages.signIn(
        try await PageTestClient(pages.server, path: "/account"), as: "Zoe")
      _ = try await phone.value("browsers.rows.length") { $0 == 2 }
      #expect(try await phone.problems == [])
      let rows = try await desk.value("browsers.rows", as: [Browser].self) { $0.count == 2 }
      #expect(rows.filter(\.isOwn).count == 1)
      let other = try #require(rows.first { !$0.isOwn })
      #expect(other.days.hasPrefix("Signed in on "))
      try await desk.send(["endBrowser": ["id": other.id]])
      #expect(try await phone.renewed().value("isSignedIn") == false)
      #expect(try await desk.value("browsers.rows.length") { $0 == 1 } == 1)
      #expect(try await desk.value("account.name") == "Zoe")
    }
  }

  private struct Browser: Decodable {
    var id, days: String
    var isOwn: Bool
  }

  @Test func `grants nothing to a forged action of another account`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, group) = try await pages.found("Rowers", as: "Zoe")
      try await zoe.send(["setName": ["name": "Skipper"]])
      let own = try await zoe.value("browsers.rows.0.id", as: String.self)
      let ben = try await pages.signUp("Ben", path: "/account")
      try await ben.send(["endBrowser": ["id": own]])
      try await ben.send(["invite": ["id": group]])
      let problem = try await ben.value("groups.problem", as: String.self) { $0 != "" }
      #expect(problem.contains("not a member"))
      try await ben.send(["leaveGroup": ["id": group]])
      let left = try await ben.renewed()
      try await left.send(["showGroup": ["id": group]])
      #expect(try await left.renewed().value("groups.isEmpty") == true)
      // The session of the page has not ended, and its browser keeps its name.
      #expect(try await zoe.value("account.name") { $0 == "Skipper" } == "Skipper")
      #expect(try await zoe.value("feed.you.name") { $0 == "Skipper" } == "Skipper")
      #expect(try await groups(of: zoe) == ["Rowers"])
      let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
      ]
      let account = try #require(try await pages.host.account(of: own))
      let id = try await pages.backend.add(picture: Data(png), to: group, as: account)
      for (page, status) in [(zoe, HTTPStatus.ok), (ben, .notFound)] {
        let request = Request(
          .get, "/pictures/\(group)/\(id)", headers: ["Cookie": page.cookies])
        #expect(await pages.server.respond(to: request).status == status)
      }
    }
  }

  @Test func `grants nothing to a cookie from before a sign-in or sign-out, also after a restart`()
    async throws
  {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let planted = try await PageTestClient(pages.server)
      let victim = try await PageTestClient(pages.server, cookies: planted.cookies)
      let zoe = try await pages.signIn(victim, as: "Zoe", "signUp")
      let ben = try await pages.signUp("Ben")
      _ = try await pages.signOut(ben)
      let after = try await PageTestClient(pages.server, cookies: ben.cookies)
      #expect(try await after.value("isSignedIn") == false)
      try await HostedPages.with(pages.store, hasLocalAccount: false) { restarted in
        for (cookies, isSignedIn) in [
          (planted.cookies, false), (ben.cookies, false), (zoe.cookies, true),
        ] {
          let page = try await PageTestClient(restarted.server, cookies: cookies)
          #expect(try await page.value("isSignedIn") == isSignedIn)
        }
      }
    }
  }

  @Test func `grants nothing to an invitation after its end`() async throws {
    let date = Mutex(Self.start)
    let now: @Sendable () -> Date = { date.withLock(\.self) }
    try await HostedPages.with(signUp: .invitation, hasLocalAccount: false, now: now) { pages in
      func invite(_ group: String) async throws -> String {
        try await Invitations.make(to: group, in: pages.store, at: now())
      }
      let code = try await invite("Rowers")
      let zoe = try await pages.signUp("Zoe", path: "/account", invitation: code)
      date.withLock { $0 += 15 * 86_400 }
      let ben = try await pages.signUp(
        "Ben", path: "/account", invitation: try await invite("Sailors"))
      try await ben.send(["acceptInvitation": ["code": code]])
      let problem = try await ben.value("groups.problem", as: String.self) { $0 != "" }
      #expect(problem == "This invitation has expired. Ask for a new one.")
      #expect(try await groups(of: ben) == ["Sailors"])
      let cora = try await PageTestClient(pages.server, path: "/join/\(code)")
      try await cora.send([
        "signUp": ["name": "Cora", "passphrase": "correct horse battery", "invitation": code]
      ])
      #expect(try await cora.value("signIn.newcomerProblem") { $0 != "" } == problem)
      #expect(try await groups(of: zoe) == ["Rowers"])
      let accounts: SQL = "SELECT count(*) FROM account"
      #expect(try await pages.store.read { try $0.row(accounts, as: Int.self) } == 2)
    }
  }
}
