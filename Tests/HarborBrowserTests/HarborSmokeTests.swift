import BrowserDriver
import Testing

/// What people do with Harbor first, in every browser, for each change.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HarborSmokeTests {
  @Test(arguments: BrowserKind.allCases)
  func `people see each other's changes, join, and sign in`(in kind: BrowserKind) async throws {
    try await withHarbor(in: kind) { harbor, browser, _ in
      let ana = try await browser.newTab()
      let ben = try await browser.newTab(ownProfile: true)
      try await ben.openBoard(harbor)
      try await ana.openBoard(harbor, as: "Ana")
      try await ana.compose("Row to the island", place: "Slip 2")
      try await ben.waitForCard("Row to the island")
      try await ben.click(ben.onCard("Row to", ".join"))
      try await ben.waitToSee(".naming.asked")
      try await ben.fill(".naming input[name=name]", with: "Ben")
      try await ben.press(.enter)
      try await ana.waitToRead("2 come along")

      for button in [".sign-in .row .plain", ".sign-in .primary"] {
        try await ben.leaveAccount()
        try await ben.waitUntilLive()
        try await ben.fill(".sign-in [name=name]", with: "Zoe")
        try await ben.fill(".sign-in [name=passphrase]", with: "correct horse battery")
        try await ben.click(Element(stringLiteral: button))
        try await ben.waitToSee(".places")
        try await ben.waitUntilLive()
      }
      try await ben.click(".places a[href='/account']")
      try await ben.waitToRead("You are signed in as Zoe.")
      let problems = await ana.problems + ben.problems
      #expect(problems.isEmpty, "\(problems)")
    }
  }
}
