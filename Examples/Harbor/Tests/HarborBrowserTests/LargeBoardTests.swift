import BrowserDriver
import Foundation
import HarborBackend
import HarborDomain
import TestSupport
import Testing

extension BrowserTests {
  /// A board of a thousand activities; a page shows only a few of them.
  @Suite struct `A large board` {
    @Test(arguments: [360, 768, 1_400, 1_920], Tab.ColorScheme.allCases)
    func `opens as a small page, and leads to later and past activities`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withThousand(width, scheme) { tab in
        try await tab.waitToRead("Later activities (575)")
        try await tab.waitToRead("Past activities (400)")
        #expect(try await tab.titles == (0..<25).map { "Plan \($0)" })
        #expect(
          try await tab.evaluate("document.querySelectorAll('*').length", as: Int.self) < 2_000)
        try await tab.expectAccessible("board")
        try await shoot(tab, "thousand", width, scheme)
        // The link shows the next page at its beginning.
        try await tab.click(".more a[href^='/?page=2']")
        try await tab.wait(until: "location.search === '?page=2'")
        try await tab.waitUntilLive()
        #expect(try await tab.titles.first == "Plan 25")
        try await tab.click(".more a[href='/']")
        try await tab.wait(until: "location.search === '' && location.pathname === '/'")
        try await tab.waitUntilLive()
        try await tab.click(".more a[href='/past']")
        try await tab.wait(until: "location.pathname === '/past'")
        try await tab.waitUntilLive()
        try await tab.waitToRead("Earlier activities (375)")
        #expect(try await tab.titles.first == "Past 0")
        try await tab.expectAccessible("archive")
        try await shoot(tab, "archive", width, scheme)
        // This day is later than the activities that the server has read.
        let day = try await tab.evaluate(
          "new Date(Date.now() + 100 * 864e5).toLocaleDateString('en-CA')", as: String.self)
        try await tab.evaluate("document.getElementById('jump-date').value = '\(day)'")
        try await tab.click(".jump button")
        try await tab.wait(until: "location.pathname === '/day'")
        try await tab.waitUntilLive()
        let shown = try await tab.titles.compactMap { Int($0.dropFirst("Plan ".count)) }
        #expect(shown.count == 25 && (474...480).contains(shown[0]))
        #expect(shown == Array(shown[0]..<shown[0] + 25))
        try await tab.expectAccessible("day")
        try await shoot(tab, "day", width, scheme)
        try await tab.click(".more a[href^='/day?date=']")
        try await tab.wait(until: "location.search.endsWith('&page=2')")
        try await tab.waitUntilLive()
        #expect(try await tab.titles.first == "Plan \(shown[0] + 25)")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: [360, 1_400], Tab.ColorScheme.allCases)
    func `has a page for each activity, to which a search leads`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withThousand(width, scheme) { tab in
        try await tab.say(name: "Ana")
        try await tab.visit("search")
        try await tab.fill("input[type=search]", with: "\"Plan 500\"")
        try await tab.waitToRead("Plan 500")
        try await tab.click(Element("a", in: ".row-card", containing: "Plan 500"))
        try await tab.wait(until: "location.pathname === '/activity/plan-500'")
        try await tab.waitUntilLive()
        try await tab.wait(until: "document.title === 'Plan 500'")
        #expect(try await tab.titles == ["Plan 500"])
        try await tab.click(tab.onCard("Plan 500", ".join"))
        try await tab.waitToSee(tab.onCard("Plan 500", ".leave"))
        try await tab.expectAccessible("activity")
        try await shoot(tab, "activity", width, scheme)
        try await tab.visit("people")
        try await tab.wait(until: "document.title === 'People · A thousand'")
        // The board is another page than that of the activity.
        try await tab.click(Element(".places a[href='/']:not([hidden])"))
        try await tab.wait(until: "location.pathname === '/'")
        try await tab.waitForCard("Plan 0")
        #expect(await tab.problems.isEmpty)
      }
    }

    private func shoot(
      _ tab: Tab, _ name: String, _ width: Int, _ scheme: Tab.ColorScheme
    ) async throws {
      try await tab.screenshot("\(name)-\(width)-\(scheme.rawValue)")
    }

    /// Runs a body with a page of a board of 600 future and 400 past activities.
    private func withThousand(
      _ width: Int, _ scheme: Tab.ColorScheme, _ body: (Tab) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { data in
        let now = Date()
        let host = PersonName(stored: "Mira Lindqvist")
        func record(_ id: String, _ title: String, hours: Int) -> ActivityRecord {
          ActivityRecord(
            Activity(
              id: id,
              details: ActivityDetails(
                title: title, place: "The old pier, north steps",
                notes: "Two rounds to the yellow buoy and back. Hot tea afterwards.",
                start: now.addingTimeInterval(3_600 * Double(hours))),
              host: host,
              participants: [host] + (0..<5).map { PersonName(stored: "Person \($0)") },
              created: now, updated: now, revision: 1))
        }
        let activities =
          (0..<600).map { record("plan-\($0)", "Plan \($0)", hours: 5 * $0 + 1) }
          + (0..<400).map { record("past-\($0)", "Past \($0)", hours: -24 * ($0 + 1)) }
        let archive = Archive(
          groups: [
            .init(
              group: GroupRecord(id: UUID().uuidString.lowercased(), name: "A thousand"),
              activities: activities)
          ], links: [])
        let file = data.appending(path: "archive.json")
        try JSONEncoder().encode(archive).write(to: file)
        let adding = try HarborProcess.launch(["import", file.path, "--data", data.path])
        #expect(await adding.exit == .code(0))
        let harbor = try await HarborProcess(data: data)
        do {
          try await withBrowser { browser in
            let tab = try await browser.newTab()
            try await tab.prefer(scheme, reducedMotion: true)
            try await tab.resize(width: width, height: width < 600 ? 740 : 900)
            try await tab.open(harbor.url)
            try await tab.waitUntilLive()
            try await body(tab)
          }
          _ = await harbor.stop()
        } catch {
          _ = await harbor.stop()
          throw error
        }
      }
    }
  }
}
