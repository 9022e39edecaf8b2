import CausewayData
import HarborDomain

/// The connection of the device, from the states of an engine and of the outbox.
struct DeviceConnection: ConnectionServiceProtocol {
  let outbox: Outbox
  let published: CurrentValue<ConnectionState>
  let retryNow: @Sendable () -> Void

  func states() -> AsyncStream<ConnectionState> { published.stream() }

  func retry() async { retryNow() }

  func setAside(_ key: String) async throws {
    try await change { try await outbox.setAside(IdempotencyKey(rawValue: key)) }
  }

  func resend(_ key: String) async throws {
    try await change { try await outbox.resend(IdempotencyKey(rawValue: key)) }
  }

  func discard(_ key: String) async throws {
    let key = IdempotencyKey(rawValue: key)
    // The change that needs a refused picture is not shown, so it is discarded with the picture.
    for letter in try await outbox.deadLetters() where letter.cause == key {
      try await change { try await outbox.discard(letter.key) }
    }
    try await change { try await outbox.discard(key) }
  }

  /// Changes the outbox, and publishes the refused changes.
  ///
  /// Another page may have done the same before, or the server may have taken the change meanwhile.
  /// So it is no failure if the change does not wait any more.
  private func change(_ body: () async throws -> Void) async throws {
    do { try await body() } catch OutboxError.notFound {}
    await Self.readRefused(of: outbox, into: published)
  }

  /// After this many server failures of a change, a page offers to set the change aside.
  private static let stuckFaults = 5

  /// Follows an engine and the outbox until the task is cancelled.
  static func follow(
    _ statuses: AsyncStream<SyncStatus>, _ outbox: Outbox, _ clock: any Clock<Duration>,
    into states: CurrentValue<ConnectionState>
  ) async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await status in statuses {
          // A running read does not tell whether the server is connected. Neither does the answer
          // that the server does not have the group yet.
          if status.phase == .syncing { continue }
          if status.phase == .offline, status.lastError == .missingScope { continue }
          states.update { $0.phase = status.phase }
        }
      }
      group.addTask {
        do {
          for try await before in outbox.observeEntries() {
            // A connected device sends a change at once. So pages count changes only while one of
            // them waits for longer. Otherwise a busy device would often update all pages.
            var (count, stuck) = (0, StuckChange?.none)
            if !before.isEmpty {
              try await clock.sleep(for: .milliseconds(500))
              let (keys, after) = (Set(before.map(\.key)), try await outbox.entries())
              if after.contains(where: { keys.contains($0.key) }) {
                count = after.count
                let entry = after.first { $0.state == .waiting && $0.serverFaults >= stuckFaults }
                stuck = entry.map {
                  StuckChange(
                    id: $0.key.rawValue, kind: PictureServer.kind($0.kind, in: $0.collection))
                }
              }
            }
            states.update { [count, stuck] in ($0.pending, $0.stuck) = (count, stuck) }
          }
        } catch {
          // The pages read the same database, and show its failure.
        }
      }
      group.addTask {
        let rejections = outbox.rejections()
        await readRefused(of: outbox, into: states)
        for await _ in rejections { await readRefused(of: outbox, into: states) }
      }
    }
  }

  private static func readRefused(
    of outbox: Outbox, into states: CurrentValue<ConnectionState>
  ) async {
    guard let letters = try? await outbox.deadLetters() else { return }
    // A refused picture also refuses the change that gives it to a person; one notice is enough.
    let pictures = Set(letters.lazy.filter { $0.collection == PictureServer.collection }.map(\.key))
    let refused = letters.filter { $0.cause.map(pictures.contains) != true }.map {
      RefusedChange(
        id: $0.key.rawValue, kind: PictureServer.kind($0.kind, in: $0.collection),
        reason: $0.message)
    }
    states.update { $0.refused = refused }
  }
}
