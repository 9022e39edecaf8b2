import BrowserDriver
import CausewayData
import CausewaySQLite
import Foundation
import HarborBackend
import TestSupport
import Testing

extension BrowserTests {
  /// A server that ends while people add activities to the board.
  @Suite struct `An acknowledged activity` {
    @Test(.timeLimit(.minutes(5)), arguments: 0..<10)
    func `is on the board after the server was stopped or killed`(run: Int) async throws {
      let signal = run.isMultiple(of: 2) ? SIGTERM : SIGKILL
      try await withTemporaryDirectory { data in
        let harbor = try await HarborProcess(data: data, options: ["--empty"])
        let acknowledged = Log<String>()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for person in 1...6 {
            let page = try await PageClient(harbor)
            let name = #"{"setName":{"name":"Person \#(person)"}}"#
            #expect(try await page.send(name, number: 1).status == 200)
            group.addTask { await post(as: person, page, acknowledged) }
          }
          // Each run ends the server at another point of the burst.
          await acknowledged.wait(for: 5 + 7 * (run % 10))
          harbor.process.send(signal: signal)
          try await group.waitForAll()
        }
        let exit = await harbor.process.exit
        if signal == SIGTERM { #expect(exit == .code(0)) }
        let store = try await SQLiteService(
          path: data.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
        let stored = try await store.read { transaction in
          try transaction.rows(
            "SELECT body ->> 'title' FROM record WHERE collection = 'activities'", as: String.self)
        }
        #expect(Set(acknowledged.all).subtracting(stored) == [])
        try await store.close()
      }
    }

    /// Creates activities one after another until the server has ended.
    private func post(as person: Int, _ page: PageClient, _ acknowledged: Log<String>) async {
      let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
      for number in 2... {
        let title = "Plan \(number) of \(person)"
        let form = #"{"title":"\#(title)","place":"","notes":"","start":"\#(start)"}"#
        let body = #"{"create":{"attempt":\#(number - 2),"form":\#(form)}}"#
        guard let answer = try? await page.send(body, number: number), answer.status == 200 else {
          return
        }
        acknowledged.append(title)
      }
    }
  }
}
