import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The parts of the app other than the board.
  @Suite struct `The other parts` {
    @Test(arguments: BrowserKind.allCases)
    func `search finds an activity of another tab while the user types`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let ana = try await browser.newTab()
        let ben = try await browser.newTab(ownProfile: true)
        try await ana.openBoard(harbor, as: "Ana")
        try await ben.openBoard(harbor)
        try await ben.visit("search")
        try await ana.compose("Row to the lighthouse", place: "Slip 2")
        try await ana.waitForCard("Row to the lighthouse")
        try await ben.fill("input[type=search]", with: "lighth")
        try await ben.waitToRead("1 activity found.")
        try await ben.waitToRead("Row to the lighthouse")
        // The results stay up to date.
        try await ana.compose("Paint the lighthouse")
        try await ben.waitToRead("2 activities found.")
        try await ben.press(.escape)
        try await ben.wait(until: "document.querySelector('input[type=search]').value === ''")
        try await ben.fill("input[type=search]", with: "nothing")
        try await ben.waitToRead("Nothing on the board has these words.")
        #expect(await ana.problems.isEmpty)
        #expect(await ben.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a person changes the name on another page than the board`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.visit("people")
        try await tab.click(".you .link")
        try await tab.wait(until: "document.activeElement.matches('.naming input')")
        try await tab.say(name: "Ben")
        try await tab.wait(until: "location.pathname === '/'")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a new account sees a question for a group instead of the board`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, withNewAccount: "Ana", "correct horse battery")
        #expect(
          try await tab.evaluate(
            "[...document.querySelectorAll('.composer, .naming, .empty, .summary')].some("
              + "(element) => element.checkVisibility())", as: Bool.self) == false)
        try await tab.click(".part .state a")
        try await tab.fill(
          Element("[name=name]", in: "form", containing: "Start a group"), with: "Club")
        try await tab.press(.enter)
        // The new session of the page shows the group.
        try await tab.waitToSee(Element(".quiet", in: ".group-row", containing: "Club"))
        try await tab.waitUntilLive()
        // An address without a break must not make the page wider.
        try await tab.resize(width: 360, height: 740)
        try await tab.click(Element(".plain:nth-of-type(2)", in: ".group-row", containing: "Club"))
        try await tab.waitToRead("this invitation")
        #expect(try await tab.overflow <= 0)
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `go back and forward with the browser's buttons`(in kind: BrowserKind) async throws {
      try await withHarbor([], in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.visit("people")
        try await tab.visit("links")
        try await tab.evaluate("history.back()")
        try await tab.waitToRead("activities")
        try await tab.wait(until: "location.pathname === '/people'")
        try await tab.wait(until: "!document.querySelector('#people-title').closest('[hidden]')")
        try await tab.evaluate("history.forward()")
        try await tab.wait(until: "!document.querySelector('#links-title').closest('[hidden]')")
        // A reload shows the same part.
        try await tab.open("\(harbor.url)/feedback")
        try await tab.wait(until: "!document.querySelector('#feedback-title').closest('[hidden]')")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a link is added, redirects, and is deleted`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.visit("links")
        try await tab.fill("input[name=target]", with: "javascript:alert(1)")
        try await tab.click(".part form .primary")
        try await tab.waitToRead("Use 1 to 40 letters")
        try await tab.fill(".part input[name=name][autocapitalize]", with: "tides")
        try await tab.press(.enter)
        try await tab.waitToRead("begins with http:// or https://")
        try await tab.fill("input[name=target]", with: "\(harbor.url)/harbor.svg")
        try await tab.press(.enter)
        try await tab.waitToSee(".link-row a")
        try await tab.wait(
          until: "!document.querySelector('.link-row .unsent:not([hidden])')")
        let address = try await tab.evaluate(
          "document.querySelector('.link-row a').href", as: String.self)
        let other = try await browser.newTab()
        try await other.open(address)
        try await other.wait(until: "location.pathname === '/harbor.svg'")
        try await tab.click(Element("button:last-of-type", in: ".link-row", containing: "tides"))
        try await tab.click("dialog button[value=yes]")
        try await tab.waitToRead("No links yet.")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `feedback arrives once, and the form thanks the user`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.visit("feedback")
        try await tab.click(Element(".primary", in: "form", containing: "What works"))
        try await tab.waitToRead("Write a few words first.")
        try await tab.fill("textarea[rows='6']", with: "More <b>tea</b>!")
        try await tab.click(Element(".primary", in: "form", containing: "What works"))
        try await tab.waitToRead("Your text has arrived.")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `people show the hosts and participants with their pictures`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor([], in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.visit("people")
        try await tab.waitToRead("Mira")
        try await tab.waitToRead("3 activities")
        // The page itself makes a file and selects it.
        try await tab.evaluate(Self.choosePicture)
        try await tab.wait(
          until: """
            [...document.querySelectorAll('.portrait img')].some(
              (image) => !image.hidden && image.naturalWidth === 1)
            """)
        let other = try await browser.newTab(ownProfile: true)
        try await other.openBoard(harbor)
        try await other.visit("people")
        try await other.wait(
          until: """
            [...document.querySelectorAll('.portrait img')].some(
              (image) => !image.hidden && image.naturalWidth === 1)
            """)
        #expect(await tab.problems.isEmpty)
      }
    }

    /// A picture of one pixel, in the file field of the first person.
    private static let choosePicture = """
      (() => {
        const base = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
        const bytes = Uint8Array.from(atob(base), (c) => c.charCodeAt(0));
        const files = new DataTransfer();
        files.items.add(new File([bytes], 'me.png', { type: 'image/png' }));
        const field = document.querySelector('.person input[type=file]');
        field.files = files.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()
      """
  }
}

extension Tab {
  /// Opens a part of the app by its link in the navigation.
  func visit(_ part: String) async throws {
    try await click(Element(stringLiteral: ".places a[href='/\(part)']"))
    try await wait(until: "!document.querySelector('#\(part)-title').closest('[hidden]')")
  }
}
