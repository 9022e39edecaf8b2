import Causeway
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

/// What a person does with the own account on a page.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `The page of an account` {
  private static let old = "correct horse battery"

  @Test func `changes the passphrase, and signs the other browsers out`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let zoe = try await pages.signUp("Zoe", path: "/account")
      let other = try await pages.signIn(PageTestClient(pages.server), as: "Zoe")
      for (old, new, problem) in [
        (Self.old, "short", "at least 10"),
        ("a wrong one", "another horse battery", "not the pass"),
      ] {
        try await zoe.send(["changePassphrase": ["old": old, "new": new]])
        let shown: String = try await zoe.value(
          "account.passphraseProblem", when: { $0.contains(problem) })
        #expect(!shown.contains(old) && !shown.contains(new))
      }
      try await zoe.send(["changePassphrase": ["old": Self.old, "new": "another horse battery"]])
      #expect(try await zoe.value("account.isChanged", when: { $0 }) == true)
      let count = try await pages.store.read {
        try $0.row("SELECT count(*) FROM browser_account", as: Int.self)
      }
      #expect(count == 1)
      _ = other
      let stranger = try await PageTestClient(pages.server)
      try await stranger.send(["signIn": ["name": "Zoe", "passphrase": Self.old]])
      let refusal: String = try await stranger.value("signIn.problem", when: { !$0.isEmpty })
      #expect(refusal.contains("no account with this name"))
    }
  }

  @Test func `exports what is stored about the person`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, _) = try await pages.found("Rowers", as: "Zoe")
      let link = ["name": "map", "target": "https://boat.example/a"]
      try await zoe.send(["addLink": link])
      try await zoe.send(["sendFeedback": ["text": "Good."]])
      let answer = await pages.server.respond(
        to: Request(.get, "/account/export", headers: ["Cookie": zoe.cookies]))
      let text = String(decoding: try await answer.bytes, as: UTF8.self)
      for part in [#""Zoe""#, #""Rowers""#, "boat.example/a", "Good."] {
        #expect(text.contains(part))
      }
      let stranger = await pages.server.respond(to: Request(.get, "/account/export"))
      #expect(stranger.status == .unauthorized)
    }
  }

  @Test func `limits the exports of an account and the deletions of a network`() async throws {
    // The time stands still, so no allowance grows back.
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    try await HostedPages.with(hasLocalAccount: false, now: { now }) { pages in
      let zoe = try await pages.signUp("Zoe")
      for expected in [200, 200, 200, 200, 200, 429] {
        let answer = await pages.server.respond(
          to: Request(.get, "/account/export", headers: ["Cookie": zoe.cookies]))
        #expect(answer.status.code == expected)
      }
      // Another person has an own allowance.
      let ben = try await pages.signUp("Ben")
      let answer = await pages.server.respond(
        to: Request(.get, "/account/export", headers: ["Cookie": ben.cookies]))
      #expect(answer.status == .ok)
      for number in 1...6 {
        let account = try await pages.backend.makeAccount(
          Credentials(name: "Person \(number)", passphrase: Self.old), from: "1")
        do {
          try await pages.backend.deleteAccount(account.id, passphrase: Self.old, from: "1")
          #expect(number < 6)
        } catch let problem as Problem {
          #expect(number == 6 && problem.status == .tooManyRequests)
        }
      }
    }
  }

  @Test func `deletes the account with all its data`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "server.sqlite").path
    // A damaged file that was set aside for a repair.
    let damaged = folder.appending(path: "server.sqlite.damaged-1")
    try Data("damaged".utf8).write(to: damaged)
    let store = try await SQLiteService(path: file, migrations: BackendMigrations.all)
    let backend = Backend(
      store: store, configuration: .init(port: 0), now: { Date() },
      random: { .random(in: .min ... .max) }, passphraseCost: 1)
    let zoe = try await backend.makeAccount(
      Credentials(name: "Zoe Unusual", passphrase: Self.old), from: "1")
    try await backend.groups(of: zoe.id).apply(
      .found(GroupRecord(id: UUID().uuidString.lowercased(), name: "Rowers")))
    try await backend.add(feedback: "A distinctive sentence.", key: "k", as: zoe.id)
    await #expect(throws: Problem.self) {
      try await backend.deleteAccount(zoe.id, passphrase: "a wrong one", from: "1")
    }
    try await backend.deleteAccount(zoe.id, passphrase: Self.old, from: "1")
    let tables: [SQL] = [
      "account", "member", "feedback", "person_name", "record WHERE body IS NOT NULL",
    ]
    let rows = try await store.read { transaction in
      try tables.map { try transaction.row("SELECT count(*) FROM \($0)", as: Int.self) }
    }
    #expect(rows == [0, 0, 0, 0, 0])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: folder.appending(path: name))
      for text in ["Zoe Unusual", "distinctive"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name) contains \(text)")
      }
    }
    #expect(FileManager.default.fileExists(atPath: damaged.path))
    try await store.close()
  }

  @Test func `shows an invitation until it ends, also while the page is open`() async throws {
    let clock = ManualClock()
    try await HostedPages.with(now: { clock.now }) { pages in
      let environment = try await pages.page()
      environment.feed.pause = { _ in try await clock.pause() }
      _ = try await environment.groups.invite(to: environment.beginning.group ?? "")
      let model = ViewModel(
        HarborInteractor(environment: environment, address: "/account"),
        reducer: PageReducer(wording: BoardWording(timeZone: .gmt)))
      model.send(.appear)
      for await state in model.states where !state.members.invitations.isEmpty { break }
      let shown = model.viewState.members.invitations
      await clock.advance(by: 13 * 86_400)
      // The page waits again only after it has shown the time before this one.
      await clock.advance(by: 0)
      #expect(model.viewState.members.invitations.map(\.id) == shown.map(\.id))
      await clock.advance(by: 86_400)
      for await state in model.states where state.members.invitations.isEmpty {
        #expect(state.members.hasNoInvitations)
        break
      }
    }
  }

  @Test func `names who invites, lists members, and follows a new name everywhere`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let (zoe, _) = try await pages.found("Rowers", as: "Zoe")
      try await zoe.send(["invite": ["id": try await zoe.value("groups.rows.0.id") as String]])
      let path: String = try await zoe.value("groups.invitation", when: { !$0.isEmpty })
      let stranger = try await PageTestClient(pages.server, path: path)
      #expect(try await stranger.value("signIn.inviter") == "Zoe invites you to “Rowers”.")
      let code = String(path.split(separator: "/").last ?? "")
      let ben = try await pages.signIn(stranger, as: "Ben", "signUp", invitation: code)
      #expect(try await ben.value("members.isPlain", when: { $0 }) == true)
      let page = try await PageTestClient(pages.server, path: "/account", cookies: zoe.cookies)
      #expect(try await page.value("members.rows.1.name") == "Ben")
      #expect(try await page.value("members.rows.1.canEnd", when: { $0 }) == true)
      #expect(try await page.value("members.invitations.0.name") == "From Zoe")
      // Ben cannot take the name of Zoe, and keeps his own.
      try await ben.send(["setName": ["name": "Zoe"]])
      #expect(try await ben.value("feed.you.name", when: { $0 == "Ben" }) == "Ben")
      let refusal: String = try await ben.value("feed.you.problem", when: { !$0.isEmpty })
      #expect(refusal.contains("another person"))
      try await ben.send(["setName": ["name": "Benno"]])
      let again = try await PageTestClient(pages.server, cookies: ben.cookies)
      #expect(try await again.value("feed.you.name", when: { $0 == "Benno" }) == "Benno")
    }
  }
}
