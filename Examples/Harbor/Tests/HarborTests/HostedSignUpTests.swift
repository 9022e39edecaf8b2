import CausewayWeb
import CausewayWebTesting
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// Who may make an account on the pages of a host.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `Sign-up on the pages of a host` {
  private static let none = ["name": "Zoe", "passphrase": "correct horse battery"]

  @Test func `by a link keeps the invitation until the person is a member`() async throws {
    try await HostedPages.with(signUp: .invitation, hasLocalAccount: false) { pages in
      let code = try await Invitations.make(to: "Rowers", in: pages.store, at: Date())
      let page = try await PageTestClient(pages.server, path: "/join/\(code)")
      // A reload and a new session of the page get the invitation again.
      #expect(try await page.value("address") == "/join/\(code)")
      #expect(try await page.value("signIn.invitation") == code)
      // A newcomer has a form of their own, which tells the rule before it refuses a passphrase.
      #expect(try await page.value("signIn.isInvited") == true)
      #expect(try await page.value("signIn.offersSignUp") == false)
      #expect(try await page.value("signIn.asksForInvitation") == false)
      #expect(try await page.value("signIn.rule") == "of at least 10 characters")
      #expect(try await page.problems == [])
      try await page.send(["signUp": ["name": "Zoe", "passphrase": "short", "invitation": code]])
      #expect(
        try await page.value("signIn.newcomerProblem", when: { $0 != "" })
          == "Choose a passphrase of at least 10 characters.")
      #expect(try await page.value("signIn.problem") == "")
      try await page.send(["signIn": ["name": "Zoe", "passphrase": "short"]])
      #expect(try await page.value("signIn.problem", when: { $0 != "" }) == Credentials.wrong)
      #expect(try await page.value("signIn.newcomerProblem") == "")
      var form = Self.none
      form["invitation"] = "https://club.example/join/\(code) "
      try await page.send(["signUp": form])
      let zoe = try await page.renewed()
      #expect(try await zoe.value("shows.board") == true)
      #expect(try await zoe.value("address") == "/")
      #expect(try await zoe.value("account.name") == "Zoe")
      let account = try await PageTestClient(
        pages.server, path: "/account", cookies: zoe.cookies)
      #expect(try await account.value("groups.rows.0.name") == "Rowers")
      // A member of another group still joins by the link.
      let other = try await Invitations.make(to: "Sailors", in: pages.store, at: Date())
      let second = try await PageTestClient(
        pages.server, path: "/join/\(other)", cookies: zoe.cookies)
      #expect(try await second.value("groups.hasCode") == true)
    }
  }

  @Test(arguments: [
    (SignUp.invitation, "A new account needs an invitation."),
    (SignUp.closed, "There are no new accounts here."),
  ])
  func `is refused with a sentence`(kind: SignUp, sentence: String) async throws {
    try await HostedPages.with(signUp: kind, hasLocalAccount: false) { pages in
      let page = try await PageTestClient(pages.server)
      #expect(try await page.value("signIn.canSignUp") == (kind != .closed))
      #expect(try await page.value("signIn.offersSignUp") == (kind != .closed))
      #expect(try await page.value("signIn.asksForInvitation") == (kind != .closed))
      #expect(try await page.value("signIn.isInvited") == false)
      try await page.send(["signUp": Self.none])
      let problem: String = try await page.value("signIn.problem") { $0 != "" }
      #expect(problem.hasPrefix(sentence))
      #expect(try await page.value("isSignedIn") == false)
    }
  }
}
