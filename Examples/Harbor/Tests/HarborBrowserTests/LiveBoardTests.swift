import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The promises of the board to several people, checked in tabs of a real browser.
  @Suite struct `Live board` {
    @Test(arguments: BrowserKind.allCases)
    func `shows one person's change to others at once`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let ana = try await browser.newTab()
        let ben = try await browser.newTab(ownProfile: true)
        try await ben.openBoard(harbor)
        try await ana.openBoard(harbor, as: "Ana")
        try await ben.waitToRead("Calm water")

        try await ana.compose("Row to the island", place: "Slip 2", notes: "Bring gloves.")
        try await ben.waitForCard("Row to the island")
        try await ben.waitToRead("Ana hosts")
        try await ana.waitToRead("You host")
        try await ana.waitToRead("“Row to the island” is on the board.")
        try await ana.wait(until: "document.querySelector('.composer [name=title]').value === ''")

        // Joining needs a name. The page asks for it, and then continues the join.
        try await ben.click(ben.onCard("Row to", ".join"))
        try await ben.waitToSee(".naming.asked")
        try await ben.fill(".naming input[name=name]", with: "Ben")
        try await ben.press(.enter)
        try await ana.waitToRead("2 come along")

        try await ana.click(ana.onCard("Row to", ".edit"))
        try await ana.fill(".editor input[name=title]", with: "Row around the island")
        try await ana.click(".editor .primary")
        try await ben.waitForCard("Row around the island")
        try await ana.waitToMiss(".editor")

        try await ben.click(ben.onCard("Row around", ".leave"))
        try await ana.waitToRead("One comes along")

        try await ana.click(ana.onCard("Row around", ".edit"))
        try await ana.click(ana.onCard("Row around", ".delete"))
        try await ana.waitToRead("Take “Row around the island” off the board?")
        try await ana.click("dialog button[value=no]")
        try await ana.waitToMiss("dialog")
        try await ben.waitForCard("Row around the island")
        try await ana.click(ana.onCard("Row around", ".delete"))
        try await ana.click("dialog button[value=yes]")
        try await ben.waitForNoCard("Row around the island")
        try await ben.waitToRead("Calm water")

        #expect(await ana.problems.isEmpty)
        #expect(await ben.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `can be used without a mouse`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.press(.tab)
        #expect(
          try await tab.evaluate("document.activeElement.className", as: String.self) == "skip")
        try await tab.press(.enter)
        try await tab.press(.tab)
        try await tab.type("Kim")
        try await tab.press(.enter)
        try await tab.waitToMiss(".naming")
        try await tab.wait(until: "document.getElementById('own-name').textContent === 'Kim'")
        // The focus stays near, on an element that opens no keyboard on a screen. The next form is
        // reached from there and from the name.
        let near = "((e) => e.checkVisibility() && e.matches('button, a'))(document.activeElement)"
        try await tab.wait(until: near)
        let title = ".composer [name=title]"
        try await tab.move(to: title)
        try await tab.evaluate("document.querySelector('.you .link').focus()")
        try await tab.move(to: title)
        try await tab.type("Sail at dusk")
        try await tab.press(.enter)
        try await tab.waitForCard("Sail at dusk")
        try await tab.evaluate("document.querySelector('.board').focus()")
        for name in ["Sail at dusk", "Edit “Sail at dusk”", "Leave “Sail at dusk”"] {
          try await tab.press(.tab)
          let text = try await tab.evaluate("document.activeElement.textContent", as: String.self)
          #expect(text == name)
        }
        try await tab.press(.space)
        try await tab.waitToRead("Nobody comes yet")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: [SIGTERM, SIGKILL], BrowserKind.allCases)
    func `keeps all data after a restart, and tabs reconnect on their own`(
      signal: Int32, in kind: BrowserKind
    ) async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let first = try await HarborProcess(data: data, at: port, options: ["--empty"])
        try await withBrowser(kind) { browser in
          let ana = try await browser.newTab()
          let ben = try await browser.newTab(ownProfile: true)
          try await ana.openBoard(first, as: "Ana")
          try await ben.openBoard(first)
          try await ana.compose("Paint the hull", place: "Dry dock")
          try await ben.waitForCard("Paint the hull")
          // The typed text must stay in the form, whether the server is stopped or killed.
          try await ben.fill(".composer input[name=title]", with: "Half a th")

          first.process.send(signal: signal)
          #expect(await first.process.exit == (signal == SIGTERM ? .code(0) : .signal(SIGKILL)))
          try await ana.wait(until: "document.documentElement.dataset.connection !== 'online'")

          let second = try await HarborProcess(data: data, at: port)
          for tab in [ana, ben] {
            try await tab.waitUntilLive()
            try await tab.waitForCard("Paint the hull")
          }
          #expect(try await ben.value(of: ".composer input[name=title]") == "Half a th")
          try await ana.waitToRead("You host")
          try await ana.compose("Dry the sails")
          try await ben.waitForCard("Dry the sails")
          #expect(try await ben.titles.sorted() == ["Dry the sails", "Paint the hull"])

          // The browser itself reports the unreachable server. The page reports no further error.
          for tab in [ana, ben] {
            #expect(await tab.problems.filter { $0.source != "network" }.isEmpty)
          }
          #expect(await second.stop() == .code(0))
        }
      }
    }
  }
}
