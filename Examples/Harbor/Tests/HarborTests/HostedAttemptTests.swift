import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures
import Testing

@testable import HarborApp

/// The limits of attempts on the pages of a host.
@MainActor @Suite struct `Attempts on the pages of a host` {
  private static let zoe = Credentials(name: "Zoe", passphrase: "correct horse battery")
  private static let other = "192.0.2.7"
  /// A time that stands still, so no allowance grows back while a slow machine makes hashes.
  private static let stopped: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }

  /// The code of the answer to an attempt; `nil` if it succeeded.
  private func refusal(_ attempt: () async throws -> Void) async throws -> String? {
    do {
      try await attempt()
      return nil
    } catch let problem as Problem {
      return problem.code
    }
  }

  @Test func `to sign in from one network lock out only that network`() async throws {
    try await HostedPages.with(now: Self.stopped) { pages in
      try await pages.page().account.signUp(Self.zoe)
      for number in 1...100 {
        // Each browser is new, because a program can drop its cookies.
        let page = try await pages.page("\(number)", at: Self.other)
        let guess = Credentials(name: "Person \(number)", passphrase: "a wrong passphrase")
        #expect(try await refusal { try await page.account.signIn(guess) } == "wrong-passphrase")
      }
      let locked = try await pages.page("new", at: Self.other)
      #expect(
        try await refusal { try await locked.account.signIn(Self.zoe) } == "too-many-attempts")
      #expect(try await refusal { try await pages.page("b").account.signIn(Self.zoe) } == nil)
    }
  }

  @Test func `to make accounts from one network lock out only that network`() async throws {
    try await HostedPages.with(now: Self.stopped) { pages in
      try await pages.page().account.signUp(Self.zoe)
      for number in 1...20 {
        let page = try await pages.page("\(number)", at: Self.other)
        #expect(try await refusal { try await page.account.signUp(Self.zoe) } == "name-taken")
      }
      let ben = Credentials(name: "Ben", passphrase: Self.zoe.passphrase)
      let locked = try await pages.page("new", at: Self.other)
      #expect(try await refusal { try await locked.account.signUp(ben) } == "too-many-attempts")
      #expect(try await refusal { try await pages.page("b").account.signUp(ben) } == nil)
    }
  }
}
