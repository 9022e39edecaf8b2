import BrowserDriver
import CausewayData
import CausewaySQLite
import Foundation
import HarborBackend
import TestSupport
import Testing

extension BrowserTests {
  /// A club whose members use the board at the same time.
  @Suite struct `Many people` {
    private static let people = 50
    private static let plans = 1
    private static let joins = 8
    private static let leaves = 4
    /// The number of actions of a person in each of the four parts.
    private static let part = 25
    private static let activities: SQL =
      "(SELECT id, body FROM record WHERE collection = 'activities' AND body IS NOT NULL) AS activity"

    @Test(.timeLimit(.minutes(10)))
    func `can post a hundred actions each, and every action is applied exactly once`() async throws
    {
      try await withTemporaryDirectory { data in
        let harbor = try await HarborProcess(data: data, options: ["--empty", "--log", "error"])
        let store = try await SQLiteService(
          path: data.appending(path: "server.sqlite").path, migrations: BackendMigrations.all)
        var pages: [PageClient] = []
        for _ in 0..<Self.people { pages.append(try await PageClient(harbor)) }

        try await post(pages, part: 0) { person, step in
          switch step {
          case 0: #"{"setName":{"name":"Person \#(person)"}}"#
          case 1...Self.plans: plan("Plan \(step) of \(person)")
          default: idle(step)
          }
        }
        let plans = Self.people * Self.plans
        try await wait(
          for: plans, "SELECT count(DISTINCT body ->> 'title') FROM \(Self.activities)", in: store)
        // All people join activities of others, and later leave some of them. Each part only adds
        // rows or only removes rows.
        let others = try await store.read { transaction in
          try (0..<Self.people).map { person in
            try transaction.rows(
              """
              SELECT id FROM \(Self.activities)
              WHERE body ->> 'host' <> \("Person \(person)") ORDER BY id
              """,
              as: String.self)
          }
        }
        try await post(pages, part: 1) { person, step in
          step < Self.joins ? #"{"join":{"id":"\#(others[person][step])"}}"# : idle(step)
        }
        let coming = plans + Self.people * Self.joins
        try await wait(
          for: coming,
          "SELECT coalesce(sum(json_array_length(body, '$.participants')), 0) FROM \(Self.activities)",
          in: store)

        let before = try residentMemory(of: harbor)
        try await post(pages, part: 2) { idle($1) }
        try await post(pages, part: 3) { person, step in
          step < Self.leaves ? #"{"leave":{"id":"\#(others[person][step])"}}"# : idle(step)
        }
        let staying = coming - Self.people * Self.leaves
        try await wait(
          for: staying,
          "SELECT coalesce(sum(json_array_length(body, '$.participants')), 0) FROM \(Self.activities)",
          in: store)
        // Half of all actions were sent since then. If the server kept data for each action, the
        // memory would show it.
        let after = try residentMemory(of: harbor)
        #expect(after < before + before / 4, "\(before) kB before, \(after) kB after")

        #expect(await harbor.stop() == .code(0))
        #expect(await harbor.process.allErrors == "")
        try await wait(for: plans, "SELECT count(*) FROM \(Self.activities)", in: store)
        try await wait(
          for: staying,
          "SELECT coalesce(sum(json_array_length(body, '$.participants')), 0) FROM \(Self.activities)",
          in: store)
        try await wait(for: Self.people, "SELECT count(DISTINCT name) FROM browser", in: store)
        try await store.close()
      }
    }

    /// Every person posts one part, all at the same time.
    private func post(
      _ pages: [PageClient], part: Int, action: @escaping @Sendable (Int, Int) -> String
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (person, page) in pages.enumerated() {
          group.addTask {
            for step in 0..<Self.part {
              let number = part * Self.part + step + 1
              let body = action(person, step)
              try await expectAccepted(page.send(body, number: number))
              // Some responses are treated as lost, and the action is sent again.
              if step % 8 == 0 { try await expectAccepted(page.send(body, number: number)) }
            }
          }
        }
        try await group.waitForAll()
      }
    }

    /// Changes only the person's own page, and no stored data.
    private func idle(_ step: Int) -> String {
      step.isMultiple(of: 2) ? #"{"openComposer":{}}"# : #"{"closeComposer":{}}"#
    }

    private func plan(_ title: String) -> String {
      let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
      return #"""
        {"create":{"attempt":0,"form":{"title":"\#(title)","place":"","notes":"","start":"\#(start)"}}}
        """#
    }

    private func expectAccepted(_ answer: PageClient.Answer) {
      #expect(answer.status == 200, "\(answer.text)")
    }

    /// Reads the board's file until a count is as expected.
    ///
    /// The wait is necessary because a write can end after its action.
    private func wait(for count: Int, _ query: SQL, in store: SQLiteService) async throws {
      for try await rows in store.observe(query, as: Int.self) where rows == [count] { return }
      throw CancellationError()
    }

    /// In kilobytes.
    private func residentMemory(of harbor: HarborProcess) throws -> Int {
      let status = try String(
        contentsOfFile: "/proc/\(harbor.process.identifier)/status", encoding: .utf8)
      let line = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/))
      return try #require(Int(line.1))
    }
  }
}
