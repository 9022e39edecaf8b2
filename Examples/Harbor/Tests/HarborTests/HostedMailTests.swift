import CausewayData
import CausewaySQLite
import CausewaySyncServer
import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborAccounts
import HarborDomain
import TestSupport
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// Mails of a host to its people, and calendars on its pages.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `Mail and calendars of a host` {
  private struct Create: Encodable {
    struct Content: Encodable {
      var attempt: Int
      var form: ActivityForm
    }
    var create: Content
  }

  private struct ChooseMail: Encodable {
    struct Choice: Encodable {
      var kind: MailKind
      var isWanted: Bool
    }
    var chooseMail: Choice
  }

  private func post(_ link: String, _ body: String = "", on server: WebServer) async -> Int {
    let path = URL(string: link)?.path ?? ""
    let request = Request(
      .post, path, headers: ["Content-Type": "application/x-www-form-urlencoded"])
    return await server.respond(to: request) { _ in Data(body.utf8) }.status.code
  }

  private func link(in mail: String?) -> String {
    (mail ?? "").split(separator: "\n").first { $0.hasPrefix("http") }.map(String.init) ?? ""
  }

  /// The next year, because an activity cannot begin in the past.
  private let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1

  @Test func `a forgotten passphrase is replaced with a link in a mail`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let sent = Log<String>()
      pages.host.mail = pages.backend.makeMail(at: pages.host.address) { address, _, text in
        sent.append("\(address)\n\(text)")
      }
      pages.host.mail?.serve(on: pages.server)
      pages.backend.serveResets(on: pages.server)
      let zoe = try await pages.signUp("Zoe", path: "/account")
      let hasMail: Bool = try await zoe.value("account.hasMail")
      #expect(hasMail)
      try await zoe.send(["setMail": ["address": "zoe@example.org", "passphrase": "not this one"]])
      let refusal: String = try await zoe.value("account.mail", when: { !$0.isEmpty })
      #expect(refusal.contains("not the passphrase") && sent.all.isEmpty)
      let passphrase = "correct horse battery"
      try await zoe.send([
        "setMail": ["address": "no address\r\nBcc: x@y.example", "passphrase": passphrase]
      ])
      let _: String = try await zoe.value(
        "account.mail", when: { $0.contains("not a mail address") })
      try await zoe.send(["setMail": ["address": "zoe@example.org", "passphrase": passphrase]])
      let _: String = try await zoe.value("account.mail", when: { $0.contains("Open the link") })
      // The address may be a stranger's until it is confirmed, so the link opens nothing else.
      pages.backend.serveCalendars(on: pages.server, at: nil)
      let code = link(in: sent.all.last).split(separator: "/").last ?? ""
      let calendar = await pages.server.respond(to: Request(.get, "/calendar/\(code).ics"))
      #expect(calendar.status == .notFound)
      #expect(await post(link(in: sent.all.last), on: pages.server) == 200)
      let later = try await PageTestClient(pages.server, path: "/account", cookies: zoe.cookies)
      let shown: String = try await later.value("account.mail", when: { !$0.isEmpty })
      #expect(shown == "Mails go to zoe@example.org.")
      #expect(await post("/reset", "name=zoe", on: pages.server) == 200)
      await sent.wait(for: 2)
      #expect(sent.all.count == 2 && sent.all[1].hasPrefix("zoe@example.org\n"))
      #expect(
        await post(link(in: sent.all.last), "passphrase=a+new+long+phrase", on: pages.server) == 200
      )
      let page = try await PageTestClient(pages.server)
      try await page.send(["signIn": ["name": "Zoe", "passphrase": "a new long phrase"]])
      let signedIn = try await page.renewed()
      let name: String = try await signedIn.value("account.name")
      #expect(name == "Zoe")
      let account = try await PageTestClient(
        pages.server, path: "/account", cookies: signedIn.cookies)
      let export = await pages.server.respond(
        to: Request(.get, "/account/export", headers: ["Cookie": account.cookies]))
      #expect(String(decoding: try await export.bytes, as: UTF8.self).contains("zoe@example.org"))
      // An empty field removes nothing.
      try await account.send(["setMail": ["address": "", "passphrase": "a new long phrase"]])
      let _: String = try await account.value(
        "account.mail", when: { $0.contains("not a mail address") })
      #expect(try await pages.address(of: "Zoe") == "zoe@example.org")
      try await account.send(["removeMail": [String: String]()])
      let _: String = try await account.value("account.mail", when: { $0 == "You get no mails." })
      #expect(try await pages.address(of: "Zoe") == nil)
    }
  }

  @Test func `a choice of mails is shown on all open pages of the account`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      serveMails(of: pages.host, pages.backend)
      let first = try await pages.signUp("Zoe", path: "/account")
      let other = try await pages.signIn(
        PageTestClient(pages.server, path: "/account"), as: "Zoe")
      // Another host has the same database.
      try await HostedPages.with(pages.store, hasLocalAccount: false) { second in
        serveMails(of: second.host, second.backend)
        let third = try await PageTestClient(
          second.server, path: "/account", cookies: first.cookies)
        let clients = [first, other, third]
        try await first.send([
          "setMail": ["address": "zoe@example.org", "passphrase": "correct horse battery"]
        ])
        let _: String = try await first.value("account.mail", when: { $0.contains("Open the") })
        let zoe = try await pages.account("Zoe")
        try await pages.store.write {
          try $0.execute(
            "UPDATE account_mail SET address = wanted, hash = NULL WHERE account = \(zoe)")
        }
        for client in clients {
          let _: String = try await client.value(
            "account.mail", when: { $0 == "Mails go to zoe@example.org." })
        }
        for isWanted in [true, false] {
          try await other.send(
            ChooseMail(chooseMail: .init(kind: .reminder, isWanted: isWanted)))
          for client in clients {
            #expect(
              try await client.value("account.mails.2.isOn", when: { $0 == isWanted }) == isWanted)
          }
        }
        try await third.send(["removeMail": [String: String]()])
        for client in clients {
          #expect(try await client.value("account.address", when: { $0.isEmpty }) == "")
        }
      }
    }
  }

  private func serveMails(of host: PageHost, _ backend: Backend) {
    host.mail = backend.makeMail(at: host.address) { _, _, _ in }
    host.notices = backend.makeNotices(
      at: host.address, wording: { kind, _, _, _, _ in (kind.rawValue, "") },
      isTemporary: { _ in false }, send: { _ in })
  }

  @Test func `a link to an activity shows the group that has it`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, _) = try await pages.found("Rowers", as: "Zoe")
      try await zoe.send(["setName": ["name": "Zoe"]])
      let form = ActivityForm(title: "Row", start: "\(year)-01-20T18:00")
      try await zoe.send(Create(create: .init(attempt: 0, form: form)))
      let id = try await pages.store.read {
        try $0.row("SELECT id FROM record WHERE collection = 'activities'", as: String.self)
      }
      try await zoe.send(["foundGroup": ["name": "Singers"]])
      let other = try await zoe.renewed()
      let shown: String = try await other.value("account.group")
      #expect(shown == "Singers")
      let path = "/activity/\(try #require(id))"
      let page = try await PageTestClient(pages.server, path: path, cookies: zoe.cookies)
      let group: String = try await page.value("account.group")
      #expect(group == "Rowers")
      // An account of another group sees nothing of it.
      let (eve, _) = try await pages.found("Swimmers", as: "Eve")
      let foreign = try await PageTestClient(pages.server, path: path, cookies: eve.cookies)
      let own: String = try await foreign.value("account.group")
      #expect(own == "Swimmers")
    }
  }

  @Test func `an activity is a page and a calendar for the members of its group`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, _) = try await pages.found("Rowers", as: "Zoe")
      try await zoe.send(["setName": ["name": "Zoe"]])
      let form = ActivityForm(
        title: "Row", start: "\(year)-01-20T18:00", end: "\(year)-01-20T20:30")
      try await zoe.send(Create(create: .init(attempt: 0, form: form)))
      let id = try await pages.store.read {
        try $0.row("SELECT id FROM record WHERE collection = 'activities'", as: String.self)
      }
      let path = "/activity/\(try #require(id))/calendar.ics"
      let answer = await pages.server.respond(
        to: Request(.get, path, headers: ["Cookie": zoe.cookies]))
      let text = String(decoding: try await answer.bytes, as: UTF8.self)
      #expect(answer.headers["Content-Type"] == "text/calendar; charset=utf-8")
      #expect(text.contains("SUMMARY:Row\r\n") && text.contains("DTEND:\(year)0120T"))
      let eve = try await pages.signUp("Eve")
      for cookies in [eve.cookies, ""] {
        let refused = await pages.server.respond(
          to: Request(.get, path, headers: ["Cookie": cookies]))
        #expect(refused.status == (cookies.isEmpty ? .unauthorized : .notFound))
      }
    }
  }
}

extension HostedPages {
  /// The confirmed mail address of an account.
  fileprivate func address(of name: String) async throws -> String? {
    let account = try await account(name)
    return try await store.read { try AccountMail.address(of: account, in: $0) }
  }
}
