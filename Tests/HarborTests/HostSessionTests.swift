import CausewayData
import CausewayStreams
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend
@testable import HarborFeatures

/// The session that all pages of a host show.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `The session of a host` {
  private static let zoe = Credentials(name: "Zoe", passphrase: "correct horse battery")

  @Test func `begins with the account of the machine, and continues after a restart`() async throws
  {
    try await HostedPages.with { first in
      let state = first.host.accountStates.value
      #expect(state.id == "local" && state.name == "" && state.hasLocalAccount)
      let group = try #require(state.group)
      try await first.page().groups.found(PersonName(stored: "Another club"))
      let shown = try #require(first.host.accountStates.value.group)
      #expect(shown != group)
      try await first.page().feed.names.remember(HostedPages.ana)
      try await HostedPages.with(first.store) { second in
        #expect(second.host.accountStates.value.id == "local")
        #expect(second.host.accountStates.value.group == shown)
        #expect(second.page().feed.beginning().person == HostedPages.ana)
      }
    }
  }

  @Test func `ends for all pages with a sign-out, also after a restart, and loses all names`()
    async throws
  {
    try await HostedPages.with { first in
      var restarts = 0
      first.host.restartPages = { restarts += 1 }
      try await first.page().feed.names.remember(HostedPages.ana)
      try await first.page("b").account.signOut()
      #expect(restarts == 1)
      #expect(first.host.accountStates.value.id == nil)
      #expect(first.host.boards == nil)
      #expect(first.page().feed.beginning().person == nil)
      await #expect(throws: ActivityError.self) {
        try await first.board().create(first.details("Swim"), host: HostedPages.ana)
      }
      try await HostedPages.with(first.store) { second in
        #expect(second.host.accountStates.value.id == nil)
        #expect(second.page().feed.beginning().person == nil)
        try await second.page().account.signInLocally()
        #expect(second.host.accountStates.value.id == "local")
        #expect(second.host.group != nil)
      }
    }
  }

  @Test func `begins with a new account, whose name the pages suggest`() async throws {
    try await HostedPages.with { pages in
      try await pages.host.signOut()
      try await pages.page().account.signUp(Self.zoe)
      #expect(pages.host.accountStates.value.name == "Zoe")
      #expect(pages.host.group == nil)
      #expect(pages.page().feed.beginning().person?.text == "Zoe")
      try await pages.host.signOut()
      let wrong = Credentials(name: "Zoe", passphrase: "incorrect horse")
      let error = await #expect(throws: (any Error).self) {
        try await pages.page().account.signIn(wrong)
      }
      #expect(
        error.map(Sentence.ofSignIn)
          == "There is no account with this name and passphrase. Check both.")
      #expect(pages.host.accountStates.value.id == nil)
      try await pages.page().account.signIn(Self.zoe)
      #expect(pages.host.accountStates.value.name == "Zoe")
    }
  }

  @Test func `refuses a sign-in after another account has signed in meanwhile`() async throws {
    try await HostedPages.with { pages in
      try await pages.host.signOut()
      let mine = Task { try await pages.host.signInLocally() }
      let other = Task { try await pages.page().account.signUp(Self.zoe) }
      let errors = [await mine.result, await other.result].compactMap { result in
        if case .failure(let error) = result { error } else { nil }
      }
      #expect(errors.count == 1 && errors.first is SignInError)
      #expect(pages.host.accountID == pages.host.accountStates.value.id)
      #expect(pages.host.accountID != nil)
    }
  }

  @Test func `continues although it ends the page that has started it`() async throws {
    try await HostedPages.with { pages in
      let page = Task { try await pages.page().account.signOut() }
      pages.host.restartPages = { page.cancel() }
      page.cancel()
      _ = await page.result
      try await pages.host.signInLocally()
      #expect(pages.host.accountID == "local")
    }
  }

  @Test func `shows another group when a device of the account has left the shown one`()
    async throws
  {
    try await HostedPages.with { pages in
      let first = try #require(pages.host.group)
      try await pages.page().groups.found(PersonName(stored: "Another club"))
      let shown = try #require(pages.host.group)
      let states = pages.host.accountStates.stream()
      try await pages.backend.groups(of: "local").apply(.leave(id: shown.id))
      for await state in states where state.group == first.id { break }
      #expect(pages.host.group == first)
      try await pages.page().groups.leave(first.id)
      #expect(pages.host.group == nil)
      #expect(pages.host.boards == nil)
    }
  }

  @Test func `shows the group of an accepted invitation`() async throws {
    try await HostedPages.with { pages in
      let group = try #require(pages.host.group)
      let code = try await pages.page().groups.invite(to: group.id)
      try await pages.host.signOut()
      try await pages.page().account.signUp(Self.zoe)
      await #expect(throws: (any Error).self) { try await pages.page().groups.accept("no code") }
      try await pages.page().groups.accept(code)
      #expect(pages.host.group == group)
    }
  }
}
