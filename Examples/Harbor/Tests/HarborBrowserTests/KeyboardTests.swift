import BrowserDriver
import Testing

extension BrowserTests {
  /// The keyboard focus after an element of the page appeared or disappeared.
  @Suite struct `The keyboard` {
    @Test(arguments: BrowserKind.allCases)
    func `focus moves into a form that opens, and back to its button`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.compose("Mop the cabin")
        try await tab.waitForCard("Mop the cabin")
        for end in ["cancel", "save"] {
          try await tab.evaluate("document.querySelector('.edit').focus()")
          try await tab.press(.enter)
          try await tab.wait(until: Self.isFocused(".editor [name=title]"))
          if end == "save" {
            try await tab.fill(".editor input[name=title]", with: "Mop the galley")
            try await tab.press(.enter)
          } else {
            try await tab.evaluate("document.querySelector('.editor .plain').focus()")
            try await tab.press(.enter)
          }
          try await tab.waitToMiss(".editor")
          try await tab.wait(until: Self.isFocused(".edit"))
        }
        try await tab.waitForCard("Mop the galley")

        try await tab.click(".you .link")
        try await tab.wait(until: Self.isFocused(".naming input"))
        try await tab.press(.enter)
        try await tab.wait(until: Self.isFocused(".you .link"))
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `focus moves to the first invalid field`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.compose("Whistle", start: "2020-01-01T10:00")
        try await tab.wait(until: Self.isFocused(".composer [name=start]"))
        try await tab.compose(" ", start: "2020-01-01T10:00")
        try await tab.wait(until: Self.isFocused(".composer [name=title]"))
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `focus stays while others change the board`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let ana = try await browser.newTab()
        let ben = try await browser.newTab(ownProfile: true)
        try await ana.openBoard(harbor, as: "Ana")
        try await ben.openBoard(harbor, as: "Ben")
        let day = try await ana.value(of: ".composer input[name=start]").prefix(10)
        try await ana.compose("Second", start: "\(day)T10:00")
        try await ana.waitForCard("Second")
        try await ana.click(ana.onCard("Second", ".edit"))
        try await ana.fill(".editor textarea", with: "Half a th")
        for (title, time) in [("First", "08:00"), ("Third", "11:00"), ("Between", "09:00")] {
          try await ben.compose(title, start: "\(day)T\(time)")
          try await ana.waitForCard(title)
        }
        #expect(try await ana.titles == ["First", "Between", "Second", "Third"])
        #expect(try await ana.value(of: ".editor textarea") == "Half a th")
        #expect(
          try await ana.evaluate(Self.isFocused(".editor textarea"), as: Bool.self))
        #expect(await ana.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `begins at the start of a board that opens, and not in a form`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor([], in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        for _ in 1...2 {
          try await tab.openBoard(harbor)
          #expect(try await tab.evaluate("document.activeElement === document.body", as: Bool.self))
        }
        // A person's own click opens the form with the focus in it.
        try await tab.click(tab.onCard("Walk to", ".join"))
        try await tab.wait(until: Self.isFocused(".naming input[name=name]"))
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `is enough to search, to make an account, to sign out and to sign in`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor([], in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor)
        try await tab.pressButton(".places a[href='/search']")
        try await tab.wait(until: Self.isFocused("input[type=search]"))
        try await tab.type("lighth")
        try await tab.waitToRead("1 activity found.")
        try await tab.press(.escape)
        try await tab.wait(until: "document.activeElement.value === ''")

        try await tab.signOut()
        try await tab.typeCredentials()
        try await tab.pressButton(".sign-in .row .plain")
        try await tab.waitToSee(".places")
        try await tab.waitUntilLive()

        try await tab.signOut()
        try await tab.press(.enter)
        try await tab.waitToRead("Type your name and your passphrase.")
        try await tab.typeCredentials()
        try await tab.press(.enter)
        try await tab.waitToSee(".places")
        try await tab.waitUntilLive()
        try await tab.pressButton(".places a[href='/account']")
        try await tab.waitToRead(
          "You are signed in as Ana. Sign in on other devices with this name.")
        #expect(await tab.problems.isEmpty)
      }
    }

    private static func isFocused(_ selector: String) -> String {
      "document.activeElement === document.querySelector('\(selector)')"
    }
  }
}

extension Tab {
  /// Presses the Tab key until an element has the focus, with Shift if the element is further up.
  ///
  /// So the focus does not leave the page for the browser's own bar.
  func move(to selector: String) async throws {
    try await waitToSee(Element(stringLiteral: selector))
    let way = """
      (() => {
        const [from, to] = [document.activeElement, document.querySelector(\(selector.script))];
        if (from === to) return 0;
        return from !== document.body && from.compareDocumentPosition(to) & 2 ? -1 : 1;
      })()
      """
    for _ in 1...80 {
      let step = try await evaluate(way, as: Int.self)
      if step == 0 { return }
      try await press(.tab, shift: step < 0)
    }
    Issue.record("The Tab key does not reach \(selector).")
  }

  fileprivate func signOut() async throws {
    try await pressButton(".places a[href='/account']")
    try await pressButton(".sign-out")
    try await waitToSee("dialog")
    try await pressButton("dialog button[value=yes]")
    try await waitToSee(".sign-in")
    try await waitUntilLive()
    try await move(to: ".sign-in [name=name]")
  }

  fileprivate func typeCredentials() async throws {
    try await move(to: ".sign-in [name=name]")
    try await type("Ana")
    try await press(.tab)
    try await type("correct horse battery")
  }

  fileprivate func pressButton(_ selector: String) async throws {
    try await move(to: selector)
    try await press(.enter)
  }
}
