import CausewayData
import CausewaySQLite
import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// The account of each browser on the pages of a host.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `The account of a browser` {
  private func name(_ page: PageTestClient) async throws -> String {
    try await page.value("account.name")
  }

  @Test func `is that of the machine without a sign-in, also after a restart`() async throws {
    try await HostedPages.with { first in
      let page = try await first.open()
      #expect(page.state.id == "local" && page.state.name == "" && page.state.hasLocalAccount)
      let group = try #require(page.group)
      try await first.page().groups.found(PersonName(stored: "Zebra club"))
      let shown = try #require(try await first.open().group)
      #expect(shown.id != group.id && shown.name == "Zebra club")
      // The choice of one browser changes no other.
      #expect(try await first.open("b").group == group)
      try await first.page().feed.names.remember(HostedPages.ana)
      try await HostedPages.with(first.store) { second in
        let page = try await second.open()
        #expect(page.group == shown)
        let person = page.environment(BoardWording(timeZone: .gmt)).feed.beginning().person
        #expect(person == HostedPages.ana)
      }
    }
  }

  @Test func `changes with a sign-in and a sign-out, but not in other browsers`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, ben) = (try await pages.signUp("Zoe"), try await pages.signUp("Ben"))
      #expect(try await name(zoe) == "Zoe")
      #expect(try await name(ben) == "Ben")
      let stranger = try await PageTestClient(pages.server)
      #expect(try await stranger.value("isSignedIn") == false)
      let out = try await pages.signOut(zoe)
      #expect(try await out.value("isSignedIn") == false)
      #expect(try await name(ben) == "Ben")
      let again = try await pages.signIn(out, as: "Zoe")
      #expect(try await name(again) == "Zoe")
      // The second tab of a browser has its account.
      let tab = try await PageTestClient(pages.server, path: "/account", cookies: again.cookies)
      #expect(try await name(tab) == "Zoe")
    }
  }

  @Test func `has a new cookie after a sign-in, and the old one grants nothing`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      // Another person has planted the cookie, and has a page of the same browser identity.
      let planted = try await PageTestClient(pages.server)
      let page = try await PageTestClient(pages.server, cookies: planted.cookies)
      let zoe = try await pages.signIn(page, as: "Zoe", "signUp")
      #expect(zoe.cookies != planted.cookies)
      #expect(try await name(zoe) == "Zoe")
      do {
        // Some time after the sign-in, the server treats the old cookie as unknown.
        #expect(try await planted.renewed().value("isSignedIn") == false)
      } catch let error as PageTestError {
        #expect(error.status == .serviceUnavailable)
      }
    }
  }

  @Test func `does not change if the name or the passphrase is wrong`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      _ = try await pages.signUp("Zoe")
      let page = try await PageTestClient(pages.server)
      try await page.send(["signIn": ["name": "Zoe", "passphrase": "incorrect horse"]])
      let problem = try await page.value("signIn.problem") { $0 != "" }
      #expect(problem == Credentials.wrong)
      #expect(try await page.value("isSignedIn") == false)
      // Pages with a public name have no account without a passphrase.
      try await page.send(["useLocalAccount": [String: String]()])
      _ = try await page.value("signIn.problem") { $0 == "Sign in with your account." }
    }
  }

  @Test func `stays signed out of the machine's account until the person returns`() async throws {
    try await HostedPages.with { first in
      let page = try await PageTestClient(first.server)
      #expect(try await page.value("isSignedIn") == true)
      let out = try await first.signOut(page)
      #expect(try await out.value("isSignedIn") == false)
      try await out.send(["useLocalAccount": [String: String]()])
      #expect(try await out.renewed().value("isSignedIn") == true)
    }
  }

  @Test func `shows why a sign-out failed, and then signs out`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let zoe = try await pages.signUp("Zoe", path: "/account")
      // The transaction of the sign-out fails.
      try await pages.store.write { try $0.execute("ALTER TABLE browser_choice RENAME TO other") }
      try await zoe.send(["signOut": [String: String]()])
      _ = try await zoe.value("account.problem", as: String.self) { $0 != "" }
      #expect(try await zoe.value("isSignedIn") == true)
      try await pages.store.write { try $0.execute("ALTER TABLE other RENAME TO browser_choice") }
      #expect(try await pages.signOut(zoe).value("isSignedIn") == false)
    }
  }

  @Test func `leaves nothing of the browser's old identity after a sign-in`() async throws {
    try await HostedPages.with { pages in
      let page = try await PageTestClient(pages.server)
      try await page.send(["setName": ["name": "Ana"]])
      try await page.send(["showGroup": ["id": #require(try await pages.open().group).id]])
      let chosen = try await page.renewed()
      let counts: SQL = """
        SELECT (SELECT count(*) FROM browser) + (SELECT count(*) FROM browser_choice)
        """
      #expect(try await pages.store.read { try $0.row(counts, as: Int.self) } == 2)
      try await chosen.send(["signOut": [String: String]()])
      let out = try await chosen.renewed()
      _ = try await pages.signIn(out, as: "Zoe", "signUp")
      #expect(try await pages.store.read { try $0.row(counts, as: Int.self) } == 0)
    }
  }

  @Test func `ends when the people who run Harbor remove it`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let zoe = try await pages.signUp("Zoe")
      try await AccountDirectory(pages.store, at: Date()).delete("Zoe")
      let gone = try await PageTestClient(pages.server, cookies: zoe.cookies)
      #expect(try await gone.value("isSignedIn") == false)
    }
  }

  @Test func `sees the boards of its own groups only`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (_, group) = try await pages.found("Rowers", as: "Zoe")
      let ben = try await pages.signUp("Ben")
      #expect(try await ben.value("groups.isEmpty") == true)
      // Ben names the group of another account.
      try await ben.send(["showGroup": ["id": group]])
      let shown = try await ben.renewed()
      #expect(try await shown.value("groups.isEmpty") == true)
    }
  }

  @Test func `shows the group of an accepted invitation, and the board of all members`()
    async throws
  {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (rowers, group) = try await pages.found("Rowers", as: "Zoe")
      try await rowers.send(["invite": ["id": group]])
      let address: String = try await rowers.value("groups.invitation") { $0 != "" }
      let ben = try await pages.signUp("Ben", path: address)
      try await ben.send(["acceptInvitation": ["code": address]])
      let member = try await ben.renewed()
      #expect(try await member.value("address") == "/")
      let account = try await PageTestClient(
        pages.server, path: "/account", cookies: member.cookies)
      #expect(try await account.value("groups.rows.0.name") == "Rowers")
      #expect(pages.host.boards(of: group) != nil)
    }
  }

  @Test func `shows another group when a device of the account has left the shown one`()
    async throws
  {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (rowers, group) = try await pages.found("Rowers", as: "Zoe")
      let account = try await pages.store.read {
        try $0.row("SELECT id FROM account", as: String.self)
      }
      try await pages.backend.groups(of: #require(account)).apply(.leave(id: group))
      let left = try await rowers.renewed()
      #expect(try await left.value("groups.isEmpty") == true)
    }
  }
}
