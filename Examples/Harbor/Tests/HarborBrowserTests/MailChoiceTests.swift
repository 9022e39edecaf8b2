import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The mails of a person, from the address to the end of a kind.
  @Suite struct `Mails on the page of an account` {
    @Test(arguments: Screenshots.widths, Tab.ColorScheme.allCases)
    func `are chosen there, and only with a confirmed address`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      let mails = try MailServerDouble()
      let options = ["--smtp", mails.address, "--mail-from", "board@a.example"]
      try await withHarbor(options) { harbor, browser, _ in
        let zoe = try await browser.newTab(ownProfile: true)
        try await zoe.openBoard(harbor, withNewAccount: "Zoe", "correct horse battery")
        try await zoe.prefer(scheme, reducedMotion: true)
        try await zoe.resize(width: width, height: width < 600 ? 740 : 900)
        try await zoe.click(".places a[href='/account']")
        try await zoe.waitToSee("[name=address]")
        try await zoe.waitToMiss(".switch")
        try await zoe.fill("[name=address]", with: "zoe@a.example")
        try await zoe.fill(
          Element("[name=passphrase]", in: "form.panel", containing: "Mail address"),
          with: "correct horse battery")
        try await zoe.press(.enter)
        await mails.mails.wait(for: 1)
        let mail = try #require(mails.mails.all.first).content
        let body = mail[try #require(mail.range(of: "\n\n")).upperBound...]
        let text = String(
          decoding: Data(base64Encoded: String(body), options: .ignoreUnknownCharacters) ?? Data(),
          as: UTF8.self)
        let path = try #require(text.firstMatch(of: /\/mail\/\w+/)).0
        try await zoe.open(harbor.url + path)
        try await zoe.click("button")
        try await zoe.waitToRead("The address is confirmed")
        try await zoe.open("\(harbor.url)/account")
        try await zoe.waitUntilLive()
        try await zoe.waitToSee(".switch")
        try await zoe.click(Element("input", in: ".switch", containing: "next day"))
        try await zoe.wait(until: Self.chosen("false,false,true"))
        // The page of the reload shows what is stored then.
        try await zoe.wait(until: "!document.querySelector('[aria-busy]')")
        try await zoe.reload()
        try await zoe.waitUntilLive()
        try await zoe.wait(until: Self.chosen("false,false,true"))
        try await zoe.expectAccessible("mails")
        #expect(try await zoe.overflow <= 0)
        try await zoe.screenshot("part-mails-\(width)-\(scheme.rawValue)")
        try await zoe.click(Element("input", in: ".switch", containing: "next day"))
        try await zoe.click(Element("input", in: ".switch", containing: "cancelled"))
        try await zoe.wait(until: Self.chosen("false,true,false"))
        try await zoe.wait(until: "!document.querySelector('[aria-busy]')")
        try await zoe.reload()
        try await zoe.waitUntilLive()
        try await zoe.wait(until: Self.chosen("false,true,false"))
        #expect(await zoe.problems.isEmpty)
      }
    }

    private static func chosen(_ values: String) -> String {
      "[...document.querySelectorAll('.switch input')].map((e) => e.checked).join() === '\(values)'"
    }
  }
}
