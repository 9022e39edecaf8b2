import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  @Suite struct `The inspector of Harbor` {
    private static let passphrase = "correct horse battery"

    @Test func `shows what people do, and no secret of a sign-in`() async throws {
      try await withHarborProcess(["--empty", "--inspect"]) { harbor, browser, data in
        let address = try #require(harbor.inspector)
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, withNewAccount: "Ana", Self.passphrase)

        let inspector = try await browser.newTab()
        try await inspector.resize(width: 1_400, height: 900)
        try await inspector.open(address)
        try await inspector.waitUntilLive()
        let row = Element(".title", in: ".row", containing: "signUp")
        try await inspector.waitToSee(row)
        try await inspector.waitToSee(".row.lane-network")
        try await inspector.click(row)
        try await inspector.waitToSee(".tree .line")
        try await inspector.screenshot(
          "inspector-of-harbor-1400-light",
          whole: false)
        try await inspector.waitToSee(".row.kind-query")
        // The page as it was before the sign-up.
        try await inspector.evaluate(
          """
          document.querySelector("#app iframe").addEventListener(
            "load", ({ target }) => { if (target.src) target.dataset.isLoaded = ""; });
          document.querySelector(".travel [aria-pressed]").click();
          """)
        try await inspector.waitToSee("[data-is-loaded]")
        try await inspector.screenshot(
          "inspector-of-harbor-page-1400-light",
          whole: false)
        let shown = try await inspector.evaluate(
          "document.documentElement.outerHTML", as: String.self)
        #expect(shown.contains("Ana") && !shown.contains("correct horse"))
        #expect(await inspector.problems.isEmpty)
        try expectNoSecret(in: data)
      }
    }

    /// Looks in all files of the data directory, and so in the ring.
    private func expectNoSecret(in directory: URL) throws {
      let ring = try Data(contentsOf: directory.appending(path: "inspector.ring"))
      #expect(ring.range(of: Data("signUp".utf8)) != nil)
      let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
      #expect(files.contains("inspector.ring"))
      for file in files {
        guard let bytes = try? Data(contentsOf: directory.appending(path: file)) else { continue }
        #expect(bytes.range(of: Data("correct horse".utf8)) == nil, "\(file) has the passphrase")
      }
    }
  }
}
