import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  @Suite struct `Bad input` {
    struct Refusal: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var title = "Night watch"
      var place = ""
      var notes = ""
      var start: String?
      var message: String
    }

    static let refusals = [
      Refusal(testDescription: "no title", title: "   ", message: "Give it a title"),
      Refusal(
        testDescription: "a date in the past", start: "2020-01-31T10:00",
        message: "That time has passed"),
      Refusal(testDescription: "no date", start: "", message: "Choose a date and a time"),
      Refusal(
        testDescription: "100 kB of notes",
        notes: String(repeating: "Wind and water. ", count: 6_400),
        message: "at most 2,000 fit"),
      Refusal(
        testDescription: "a long title", title: String(repeating: "x", count: 121),
        message: "The title has 121 characters; at most 120 fit"),
    ]

    @Test func `is rejected beside its field, and the typed text stays`() async throws {
      try await withHarbor { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        let start = try await tab.value(of: ".composer input[name=start]")
        for refusal in Self.refusals {
          try await tab.compose(
            refusal.title, place: "Pier", notes: refusal.notes, start: refusal.start ?? start)
          try await tab.waitToRead(refusal.message)
          #expect(try await tab.value(of: ".composer input[name=title]") == refusal.title)
          #expect(try await tab.value(of: ".composer input[name=place]") == "Pier")
          #expect(try await tab.value(of: ".composer textarea") == refusal.notes)
        }
        #expect(try await tab.titles.isEmpty)
        try await tab.compose("Night watch", start: start)
        try await tab.waitForCard("Night watch")
        try await tab.wait(until: "document.querySelector('.composer [name=title]').value === ''")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `in an edit keeps the typed text and the stored activity`() async throws {
      try await withHarbor { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.compose("Low tide walk")
        try await tab.click(tab.onCard("Low tide walk", ".edit"))
        try await tab.fill(".editor input[name=title]", with: "")
        try await tab.fill(".editor textarea", with: "Boots!")
        try await tab.click(".editor .primary")
        try await tab.waitToRead("Give it a title")
        #expect(try await tab.value(of: ".editor textarea") == "Boots!")
        // The page asks before it discards typed text, both after a click and after a key press.
        try await tab.click(".editor .plain")
        try await tab.waitToRead("Discard what you typed?")
        try await tab.click("dialog button[value=no]")
        try await tab.waitToMiss("dialog")
        #expect(try await tab.value(of: ".editor textarea") == "Boots!")
        try await tab.evaluate("document.querySelector('.editor textarea').focus()")
        try await tab.press(.escape)
        try await tab.click("dialog button[value=yes]")
        try await tab.waitForCard("Low tide walk")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `that exceeds the server's limit is rejected with a message`() async throws {
      try await withHarbor { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.fill(".composer input[name=title]", with: "Flood")
        try await tab.evaluate(
          "document.querySelector('.composer textarea').value = 'x'.repeat(3 << 20)")
        try await tab.click(".composer .row .primary")
        try await tab.waitToSee(".notice[data-problem]")
        #expect(try await tab.value(of: ".composer input[name=title]") == "Flood")
        #expect(try await tab.titles.isEmpty)
      }
    }

    @Test func `with markup is shown as text`() async throws {
      try await withHarbor { harbor, browser, _ in
        let tab = try await browser.newTab()
        let markup = #"</script><script>window.bad = 1</script><img src=x onerror="window.bad=1">"#
        try await tab.openBoard(harbor, as: "<b>Ana</b>")
        try await tab.compose(
          markup, place: "{{title}} <!-- causeway -->", notes: "&amp; <i>so</i>")
        try await tab.waitForCard(markup)
        // The first HTML of a page contains the state, so the same checks apply to it.
        try await tab.open(harbor.url)
        try await tab.waitForCard(markup)
        try await tab.waitToRead("{{title}} <!-- causeway -->")
        try await tab.waitToRead("&amp; <i>so</i>")
        try await tab.waitToRead("<b>Ana</b>")

        try await tab.visit("search")
        try await tab.fill("input[type=search]", with: markup)
        try await tab.waitToRead("1 activity found.")
        try await tab.waitToSee(Element("h3", in: ".row-card", containing: markup))
        try await tab.visit("people")
        try await tab.waitToSee(Element("h3", in: ".person", containing: "<b>Ana</b>"))
        try await tab.visit("feedback")
        try await tab.fill("textarea[rows='6']", with: markup)
        try await tab.click(Element(".primary", in: "form", containing: "What works"))
        try await tab.waitToRead("Your text has arrived.")
        try await tab.visit("account")
        let group = "<img src=x onerror='window.bad=1'>"
        try await tab.fill(
          Element("[name=name]", in: "form", containing: "Start a group"), with: group)
        try await tab.press(.enter)
        try await tab.waitToSee(Element("strong", in: ".group-row", containing: group))
        #expect(try await tab.evaluate("typeof window.bad", as: String.self) == "undefined")
        #expect(await tab.problems.isEmpty)
      }
    }
  }
}
