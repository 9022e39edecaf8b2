import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  /// Screenshots of the parts beside the board, and an audit of what screen readers get.
  @Suite struct `The other parts on screens` {
    @Test(arguments: Screenshots.widths, Tab.ColorScheme.allCases)
    func `fit the width and give every control a name`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withHarbor([]) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.prefer(scheme, reducedMotion: true)
        try await tab.resize(width: width, height: width < 600 ? 740 : 900)
        try await tab.open(harbor.url)
        try await tab.waitUntilLive()
        try await tab.say(name: "Ana")
        try await check(tab, "board", width, scheme)
        try await tab.visit("search")
        try await tab.fill("input[type=search]", with: "the")
        try await tab.waitToRead("activities found.")
        try await check(tab, "search", width, scheme)
        try await tab.visit("people")
        try await tab.waitToRead("Mira")
        try await check(tab, "people", width, scheme)
        try await tab.visit("links")
        try await tab.fill(".part input[name=name][autocapitalize]", with: "tides")
        try await tab.fill("input[name=target]", with: "https://example.org/tides")
        try await tab.press(.enter)
        try await tab.waitToSee(".link-row a")
        try await check(tab, "links", width, scheme)
        try await tab.visit("feedback")
        try await check(tab, "feedback", width, scheme)
        try await tab.visit("account")
        try await tab.waitToRead("Our group")
        try await check(tab, "account", width, scheme)
        try await tab.click(Element(".plain:nth-of-type(2)", in: ".group-row", containing: "Our"))
        try await tab.waitToRead("this invitation")
        try await check(tab, "invitation", width, scheme)
        try await tab.click(".sign-out")
        try await tab.click("dialog button[value=yes]")
        try await tab.waitToSee(".sign-in")
        try await tab.waitUntilLive()
        try await tab.click(".sign-in .primary")
        try await tab.waitToRead("Type your name and your passphrase.")
        try await check(tab, "sign-in", width, scheme)
        // A page that an invitation opens has the code. The list of browsers needs a passphrase.
        try await tab.open("\(harbor.url)/join/abc")
        try await tab.waitUntilLive()
        try await check(tab, "join", width, scheme)
        try await tab.fill(".newcomer [name=invitation]", with: "")
        try await tab.fill(".newcomer [name=name]", with: "Zoe")
        try await tab.fill(".newcomer [name=passphrase]", with: "correct horse battery")
        try await tab.click(".newcomer .primary")
        try await tab.waitToSee(".places")
        let phone = try await browser.newTab(ownProfile: true)
        try await phone.open(harbor.url)
        try await phone.waitUntilLive()
        try await phone.leaveAccount()
        try await phone.waitUntilLive()
        try await phone.fill(".sign-in [name=name]", with: "Zoe")
        try await phone.fill(".sign-in [name=passphrase]", with: "correct horse battery")
        try await phone.press(.enter)
        try await phone.waitToSee(".places")
        try await tab.click(".places a[href='/account']")
        try await tab.waitToRead("End this one")
        try await check(tab, "browsers", width, scheme)
        try await tab.click(Element("button", in: ".group-row", containing: "End this one"))
        try await phone.waitToSee(".sign-in")
        try await tab.waitToMiss(Element("button", in: ".group-row", containing: "End this one"))
        try await tab.leaveAccount()
        try await tab.waitUntilLive()
        // The account of this machine comes back, with its board.
        try await tab.click(Element("button", in: ".sign-in p", containing: "own board"))
        try await tab.waitToSee(".places")
        try await tab.click(".places a[href='/']")
        try await tab.waitForCard("Walk to the lighthouse")
        #expect(await tab.problems.isEmpty)
      }
    }

    private func check(
      _ tab: Tab, _ name: String, _ width: Int, _ scheme: Tab.ColorScheme
    ) async throws {
      let overflow = try await tab.overflow
      #expect(overflow <= 0, "\(name) at \(width) px is \(overflow) px too wide")
      let problems = try await tab.evaluate(Self.audit, as: [String].self)
      #expect(problems == [], "\(name)")
      try await tab.expectAccessible(name)
      try await tab.evaluate("scrollTo(0, 0)")
      try await tab.screenshot("part-\(name)-\(width)-\(scheme.rawValue)")
    }

    /// Visible controls without a name, pictures without a text, and ids that are not unique.
    private static let audit = """
      (() => {
        const seen = (e) => e.getClientRects().length > 0;
        const text = (id) => document.getElementById(id)?.textContent.trim();
        const name = (e) => e.getAttribute('aria-label')?.trim()
          || (e.getAttribute('aria-labelledby') ?? '').split(' ').map(text).find(Boolean)
          || [...(e.labels ?? [])].map((l) => l.textContent.trim()).find(Boolean)
          || (/^(INPUT|TEXTAREA|SELECT|PROGRESS)$/.test(e.tagName) ? '' : e.textContent.trim());
        const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
        const problems = all('a[href], button, input, textarea, progress, section, nav, aside')
          .filter((e) => !name(e)).map((e) => 'no name: ' + e.outerHTML.slice(0, 120));
        for (const e of all('img')) {
          if (!e.hasAttribute('alt')) problems.push('no alt: ' + e.outerHTML.slice(0, 120));
        }
        const ids = all('[id]').map((e) => e.id).filter(Boolean);
        for (const id of new Set(ids)) {
          if (ids.filter((i) => i === id).length > 1) problems.push('id twice: ' + id);
        }
        for (const e of all('[aria-describedby]')) {
          for (const id of e.getAttribute('aria-describedby').split(' ')) {
            if (!document.getElementById(id)) problems.push('no description: ' + id);
          }
        }
        if (document.querySelectorAll('h1').length !== 1) problems.push('not one h1');
        if (!document.documentElement.lang) problems.push('no lang');
        return problems;
      })()
      """
  }
}
