import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// A device whose backend is a separate process.
  @Suite struct `The banner about the connection` {
    @Test(.timeLimit(.minutes(5)))
    func `says that the server is lost, counts the waiting changes, and offers to try now`()
      async throws
    {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let folder = data.appending(path: "server")
        let first = try await HarborProcess("serve", data: folder, at: port)
        let device = try await Device(data.appending(path: "device"), first.url)
        try await device.signUp()
        try await withBrowser { browser in
          let tab = try await browser.newTab()
          let tryNow = Element("button", in: ".link-state", containing: "Try now")
          try await tab.openBoard(device.process)
          try await tab.waitToRead("Up to date")
          try await tab.waitToMiss(tryNow)

          #expect(await first.stop() == .code(0))
          try await tab.waitToRead("Offline. What you see may be old.")
          try await tab.compose("Row")
          try await tab.waitForCard("Row")
          try await tab.waitToRead("Offline. 1 change will be sent when the server is back.")
          try await tab.click(tryNow)
          try await tab.waitToRead("Offline. 1 change will be sent when the server is back.")

          let second = try await HarborProcess("serve", data: folder, at: port)
          try await tab.waitToRead("Up to date")
          try await tab.waitToMiss(tryNow)
          try await tab.waitForCard("Row")
          #expect(await tab.problems.isEmpty)
          #expect(await device.process.stop() == .code(0))
          #expect(await second.stop() == .code(0))
        }
      }
    }
  }
}
