import BrowserDriver
import Testing

/// What people do with Harbor first, in every browser, for each change.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HarborSmokeTests {
  @Test(arguments: BrowserKind.allCases)
  func `people see each other's changes, and join`(in kind: BrowserKind) async throws {
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
      let problems = await ana.problems + ben.problems
      #expect(problems.isEmpty, "\(problems)")
    }
  }
}
