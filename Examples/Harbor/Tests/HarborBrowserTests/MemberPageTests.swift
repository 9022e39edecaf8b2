import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  /// Two people of a group, each in a browser of their own.
  @Suite struct `Members on the page` {
    @Test(arguments: Screenshots.widths, Tab.ColorScheme.allCases)
    func `are invited by name, change only what is theirs, and are removed`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withHarbor([]) { harbor, browser, _ in
        let ana = try await browser.newTab(ownProfile: true)
        try await ana.openBoard(harbor, withNewAccount: "Ana", "correct horse battery")
        try await ana.prefer(scheme, reducedMotion: true)
        try await ana.resize(width: width, height: width < 600 ? 740 : 900)
        try await ana.click(".places a[href='/account']")
        try await ana.fill(
          Element("input", in: "form.panel", containing: "Start a group"), with: "Rowers")
        try await ana.press(.enter)
        try await ana.waitToRead("Members of Rowers")
        try await ana.click(
          Element("button:nth-of-type(2)", in: ".group-row", containing: "Rowers"))
        try await ana.waitToRead("this invitation")
        let link = try await ana.evaluate(
          "document.querySelector('a[data-attr*=\"groups.invitation\"]').href", as: String.self)

        let ben = try await browser.newTab(ownProfile: true)
        try await ben.prefer(scheme, reducedMotion: true)
        try await ben.resize(width: width, height: width < 600 ? 740 : 900)
        try await ben.open(link)
        try await ben.waitUntilLive()
        // A new browser uses the account of the machine.
        try await ben.leaveAccount()
        try await ben.waitUntilLive()
        try await ben.open(link)
        try await ben.waitUntilLive()
        try await ben.waitToRead("Ana invites you to “Rowers”.")
        try await shoot(ben, "invited", width, scheme)
        try await ben.fill(".newcomer [name=name]", with: "Ben")
        try await ben.fill(".newcomer [name=passphrase]", with: "correct horse battery")
        try await ben.click(".newcomer .primary")
        try await ben.waitToSee(".places")

        try await ana.waitToRead("Ben")
        try await shoot(ana, "members", width, scheme)
        // One's own account is not below a long list of members.
        #expect(
          try await ana.evaluate(
            "\(Self.top("form[data-action*=changePassphrase]")) < \(Self.top("[data-each='members.rows']"))",
            as: Bool.self))
        try await ana.click(Element("button:nth-of-type(2)", in: ".group-row", containing: "Ben"))
        try await shoot(ana, "remove-member", width, scheme)
        try await ana.click("dialog button[value=yes]")
        try await ben.waitToRead("No group yet")
        #expect(try await ana.overflow <= 0)
        let problems = await ana.problems + ben.problems
        #expect(problems.isEmpty)
      }
    }

    private static func top(_ selector: String) -> String {
      "document.querySelector(\(selector.script)).getBoundingClientRect().top"
    }

    private func shoot(
      _ tab: Tab, _ name: String, _ width: Int, _ scheme: Tab.ColorScheme
    ) async throws {
      #expect(try await tab.overflow <= 0, "\(name) at \(width) px is too wide")
      try await tab.expectAccessible(name)
      try await tab.screenshot("part-\(name)-\(width)-\(scheme.rawValue)")
    }
  }
}
