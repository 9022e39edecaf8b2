import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The identity of people, in browsers with their own cookies.
  @Suite struct `People` {
    @Test(arguments: BrowserKind.allCases)
    func `keep their identity in their own browsers after a restart`(in kind: BrowserKind)
      async throws
    {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let first = try await HarborProcess(data: data, at: port, options: ["--empty"])
        try await withBrowser(kind) { browser in
          let ana = try await browser.newTab()
          let ben = try await browser.newTab(ownProfile: true)
          let guest = try await browser.newTab(ownProfile: true)
          try await ana.openBoard(first, as: "Ana")
          try await ben.openBoard(first, as: "Ben")
          #expect(await first.stop() == .code(0))
          let second = try await HarborProcess(data: data, at: port)

          // Open pages keep their identity, and a new page immediately has the identity of its
          // browser.
          for (tab, name) in [(ana, "Ana"), (ben, "Ben"), (try await browser.newTab(), "Ana")] {
            try await tab.openBoard(second)
            #expect(try await tab.ownName == name)
          }
          try await guest.openBoard(second)
          try await guest.waitToSee(".naming")
          try await ben.compose("Scrub the deck")
          try await ana.waitToRead("Ben hosts")
          #expect(await second.stop() == .code(0))
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `who follow a link from another site are recognised, and their open tab continues`(
      in kind: BrowserKind
    ) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let open = try await browser.newTab()
        try await open.openBoard(harbor, as: "Ana")
        let tab = try await browser.newTab()
        try await tab.open("data:text/html,<a href=\"\(harbor.url)\">The board</a>")
        try await tab.click("a")
        try await tab.waitUntilLive()
        #expect(try await tab.ownName == "Ana")
        try await open.compose("Tar the ropes")
        try await tab.waitForCard("Tar the ropes")
        let problems = await tab.problems
        #expect(problems.isEmpty, "\(problems)")
      }
    }
  }
}
