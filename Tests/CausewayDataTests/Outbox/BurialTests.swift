import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySync

/// The shown rows when several mutations become dead letters, or are sent again, together.
@Suite(.timeLimit(.minutes(10)))
struct BurialTests {
  private struct LoggedRows: OutboxRows {
    let shown: Log<[String]>

    func isCovered(_: OutboxEntry, by _: SyncVersion, in _: any ReadTransaction) -> Bool { false }
    func show(_ entries: [OutboxEntry], _: any WriteTransaction) {
      shown.append(entries.map(\.key.rawValue))
    }
    func areMarked(_: any ReadTransaction) -> Bool { false }
    func showMarked(_: any WriteTransaction) {}
  }

  private func draft(_ number: Int, after key: IdempotencyKey? = nil) -> OutboxDraft {
    OutboxDraft(
      key: IdempotencyKey(rawValue: "\(number)"), collection: key == nil ? "note" : "text",
      scope: SyncScope("\(number)"), kind: "send", payload: Data(),
      dependencies: key.map { [.mutation($0)] } ?? [])
  }

  @Test func `the rows of a collection are shown once for all mutations`() async throws {
    let desk = try await Desk()
    let shown = Log<[String]>()
    let isRefused = Log<Void>()
    desk.outbox.register(
      "note",
      OutboxRoute(send: { _ in
        if isRefused.all.isEmpty {
          isRefused.append(())
          throw RemoteFailure(.rejected)
        }
        return [.success(.final)]
      }))
    desk.outbox.register(
      "text",
      OutboxRoute(
        send: { _ in throw RemoteFailure(.unreachable) },
        rows: LoggedRows(shown: shown)))
    try await desk.outbox.enqueue(draft(1))
    for number in 2...4 { try await desk.outbox.enqueue(draft(number, after: "1")) }
    desk.outbox.start()
    try await desk.wait(for: 4, "SELECT count(*) FROM sync_dead_letter")
    #expect(shown.all == [["2", "3", "4"]])
    try await desk.outbox.resend("1")
    #expect(shown.all == [["2", "3", "4"], ["2", "3", "4"]])
  }
}
