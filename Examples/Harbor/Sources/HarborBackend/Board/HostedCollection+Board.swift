import CausewayData
import CausewaySyncServer
package import HarborDomain

/// The board of a group, for the pages in the process of the backend.
extension HostedCollection<ActivityMutation> {
  /// Yields the part of the board that pages show, now and after each change.
  ///
  /// A slow consumer gets only the newest part. The stream does not check the access of the account. It
  /// fails with ``ActivityError/notRead(reason:)``.
  ///
  /// - Parameter reach: What the open pages show. The stream follows it.
  package func board(within reach: BoardReach) -> AsyncThrowingStream<Activities, any Error> {
    .newest { [backend, records] listener in
      // Any number of causes make one reading.
      let (causes, cause) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let (versions, extensions) = (records.versions(in: backend.store), reach.extensions())
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          group.addTask { for try await _ in versions { cause.yield() } }
          group.addTask { for await _ in extensions { cause.yield() } }
          // As activities end, pages show later ones.
          group.addTask {
            while true {
              try await Task.sleep(for: .seconds(60))
              cause.yield()
            }
          }
          group.addTask {
            var part = BoardPart()
            for await _ in causes {
              let last = part
              let next = try await backend.store.read { transaction in
                var part = last
                let isDifferent = try part.update(
                  records, reach: reach.all, at: backend.now(), in: transaction)
                return isDifferent ? part : nil
              }
              guard let next else { continue }
              part = next
              listener.yield(part.activities)
            }
          }
          try await group.next()
        }
      } catch {
        throw ActivityError.notRead(reason: "\(error)")
      }
    }
  }
}
