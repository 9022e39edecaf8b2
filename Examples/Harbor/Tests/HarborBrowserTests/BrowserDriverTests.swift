import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  /// The driver, on which every browser test relies.
  @Suite struct `Browser driver` {
    private let page = """
      data:text/html,<title>Pier</title><button id=b>Count</button><input id=i><p id=out>0</p>\
      <script>b.onclick=(e)=>setTimeout(()=>out.textContent=%2Bout.textContent%2B1,30)</script>
      """

    @Test(arguments: BrowserKind.allCases)
    func `sends real input to the page and waits for changes`(in kind: BrowserKind) async throws {
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.open(page)
        try await tab.click("#b")
        try await tab.wait(until: "out.textContent === '1'")
        try await tab.fill("#i", with: "a \"b\" <c>")
        #expect(try await tab.evaluate("i.value", as: String.self) == "a \"b\" <c>")
        try await tab.fill("#i", with: "")
        try await tab.press(.tab, shift: true)
        #expect(try await tab.evaluate("document.activeElement.id", as: String.self) == "b")
        try await tab.press(.enter)
        try await tab.wait(until: "out.textContent === '2'")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `waits for a picture that loads after the last change of the document`(
      in kind: BrowserKind
    ) async throws {
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.open(page)
        // The condition itself adds the picture, so the wait begins before the picture loads.
        try await tab.wait(
          until: """
            (window.shown ??= (() => {
              const image = document.createElement('img');
              image.src = URL.createObjectURL(new Blob([
                "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>",
              ], { type: 'image/svg+xml' }));
              return document.body.appendChild(image);
            })()).naturalWidth === 7
            """)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `collects errors of a page`(in kind: BrowserKind) async throws {
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.open(
          "data:text/html,<script>console.error('one');throw Error('two')</script>")
        let texts = await tab.problems.map(\.text)
        #expect(texts.contains("one"))
        #expect(texts.contains { $0.contains("two") })
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `reports the page's content and errors when a condition never holds`(
      in kind: BrowserKind
    ) async throws {
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.open(
          "data:text/html,<p>Low water</p><script>Promise.reject(new Error('aground'))</script>")
        while await tab.problems.isEmpty { await Task.yield() }
        await #expect {
          try await tab.wait(until: "false", limit: .milliseconds(200))
        } throws: { error in
          guard let error = error as? BrowserError, case .timedOut("false", _, let page, _) = error
          else { return false }
          return page.contains("Low water") && error.description.contains("aground")
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `throws an error for an address without a server`(in kind: BrowserKind) async throws {
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        await #expect {
          try await tab.open("http://127.0.0.1:1/")
        } throws: { error in
          if case .unreachable? = error as? BrowserError { true } else { false }
        }
      }
    }
  }
}
