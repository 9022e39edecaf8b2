import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  /// A page shows a part of a large board, and more on request.
  @Suite struct `A large board` {
    @Test(arguments: Screenshots.widths, Tab.ColorScheme.allCases)
    func `shows more activities at the place where the shown ones ended`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withHarbor { harbor, browser, _ in
        for person in 0..<2 { try await fill(harbor, as: "Host \(person)") }
        let tab = try await browser.newTab()
        try await tab.prefer(scheme, reducedMotion: true)
        try await tab.resize(width: width, height: width < 600 ? 740 : 900)
        try await tab.open(harbor.url)
        try await tab.waitUntilLive()
        try await tab.waitToRead("Show more (20 activities are not shown)")
        #expect(try await tab.titles.count == 100)
        try await tab.expectAccessible("board")
        try await tab.evaluate("document.querySelector('.more a').focus()")
        try await tab.screenshot(
          to: Screenshots.folder.appending(path: "more-\(width)-\(scheme.rawValue).png"))
        let last = try #require(try await tab.titles.last)
        try await tab.press(.enter)
        try await tab.wait(until: "location.search === '?rows=200'")
        try await tab.waitUntilLive()
        #expect(try await tab.titles.count == 120)
        #expect(try await tab.evaluate("location.hash", as: String.self).hasPrefix("#title-"))
        try await tab.wait(
          until: """
            [...document.querySelectorAll('.card h3')].find((e) => e.textContent === \(last.script))
              .getBoundingClientRect().top < innerHeight
            """)
        // New pages are small again, and a search finds all activities.
        let first = try await PageClient(harbor)
        #expect(first.content.cards.count == 100)
        try await tab.visit("search")
        try await tab.fill("input[type=search]", with: "plan")
        try await tab.waitToRead("120 activities found. The first 50 are shown.")
        try await tab.screenshot(
          to: Screenshots.folder.appending(path: "results-\(width)-\(scheme.rawValue).png"))
        try await tab.click(Element("button", in: ".more", containing: "Show more results"))
        try await tab.wait(until: "document.querySelectorAll('.rows .row-card h3').length === 100")
        #expect(await tab.problems.isEmpty)
      }
    }

    private func fill(_ harbor: HarborProcess, as name: String) async throws {
      let page = try await PageClient(harbor)
      let year = Calendar.current.component(.year, from: Date()) + 1
      _ = try await page.send(#"{"setName":{"name":"\#(name)"}}"#, number: 1)
      for index in 0..<60 {
        let answer = try await page.send(
          #"{"create":{"attempt":\#(index),"form":{"title":"Plan \#(index) of \#(name)","#
            + #""place":"","notes":"","start":"\#(year)-05-\#(10 + index / 3)T18:30"}}}"#,
          number: index + 2)
        #expect(answer.status == 200, "\(answer.text)")
      }
    }
  }
}
