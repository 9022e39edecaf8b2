import CausewayData
import CausewaySyncServer
package import HarborDomain

/// The board of a group, for the pages in the process of the backend.
extension HostedCollection<ActivityMutation> {
  /// Reads the part of the board that pages show, now and after each change, until it is cancelled.
  ///
  /// It does not check the access of the account.
  ///
  /// - Parameters:
  ///   - reach: What the open pages show. The reading follows it.
  ///   - receive: Called with each new part, one call after the other.
  /// - Throws: ``ActivityError/notRead(reason:)``.
  package func readBoard(
    within reach: BoardReach, _ receive: @escaping @Sendable (Activities) -> Void
  ) async throws {
    let reading = BoardReading(self, reach, receive)
    let (versions, extensions) = (records.versions(in: backend.store), reach.extensions())
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { for try await _ in versions { try await reading.update() } }
        group.addTask { for await _ in extensions { try await reading.update() } }
        // As activities end, pages show later ones.
        group.addTask {
          while true {
            try await Task.sleep(for: .seconds(60))
            try await reading.update()
          }
        }
        try await group.next()
      }
    } catch {
      throw ActivityError.notRead(reason: "\(error)")
    }
  }
}

/// Reads the part again after a change, after an extension of the reach, and as time passes.
///
/// Causes that come during a reading share the next reading.
private actor BoardReading {
  private let collection: HostedCollection<ActivityMutation>
  private let reach: BoardReach
  private let receive: @Sendable (Activities) -> Void
  private var part = BoardPart()
  private var isReading = false
  /// Whether another cause came after the current reading began.
  private var isStale = false

  init(
    _ collection: HostedCollection<ActivityMutation>, _ reach: BoardReach,
    _ receive: @escaping @Sendable (Activities) -> Void
  ) {
    (self.collection, self.reach, self.receive) = (collection, reach, receive)
  }

  /// Reads the part again, and passes it on if it is different.
  ///
  /// If a reading is in progress, it is followed by another one.
  func update() async throws {
    isStale = true
    if isReading { return }
    isReading = true
    defer { isReading = false }
    while isStale {
      isStale = false
      let (last, reach, records) = (part, reach, collection.records)
      let next = try await collection.backend.store.read { [backend = collection.backend] in
        var part = last
        let isDifferent = try part.update(records, reach: reach.all, at: backend.now(), in: $0)
        return isDifferent ? part : nil
      }
      guard let next else { continue }
      part = next
      receive(part.activities)
    }
  }
}
