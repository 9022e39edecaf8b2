import BrowserDriver
import Testing

extension BrowserTests {
  /// Accounts with a name and a passphrase.
  @Suite struct `A sign-in` {
    @Test(arguments: BrowserKind.allCases)
    func `is possible after the sign-out of a guest or an account`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        for button in [".sign-in .row .plain", ".sign-in .primary"] {
          try await tab.leaveAccount()
          try await tab.waitUntilLive()
          try await tab.fill(".sign-in [name=name]", with: "Zoe")
          try await tab.fill(".sign-in [name=passphrase]", with: "correct horse battery")
          try await tab.click(Element(stringLiteral: button))
          try await tab.waitToSee(".places")
          try await tab.waitUntilLive()
        }
        try await tab.click(".places a[href='/account']")
        try await tab.waitToRead(
          "You are signed in as Zoe. Sign in on other devices with this name.")
        let problems = await tab.problems
        #expect(problems.isEmpty, "\(problems)")
      }
    }
  }
}
