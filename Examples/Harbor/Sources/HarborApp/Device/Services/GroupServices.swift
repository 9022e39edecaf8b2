import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain

/// Searches the activities of a group, with the full-text indexes of the device's database.
struct GroupSearch: SearchRepositoryProtocol {
  let activities: ActivityRepository

  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    .rows(of: activities.activities(where: SearchIndex.condition(text))) { found in
      SearchResults(rows: Array(found.prefix(limit)), total: found.count)
    }
  }
}

/// The full-text indexes of activities.
///
/// One table has the activities as the server sent them. Another table has the activities with
/// pending changes. So each table has an index.
enum SearchIndex {
  private static let columns = ["title", "place", "notes", "host", "participants"]
  private static let stored = FullTextIndex(
    "activity_search", of: "activity_base", columns: columns, prefixes: [2, 3])
  private static let pending = FullTextIndex(
    "activity_pending_search", of: "activity_overlay", columns: columns)

  static let migration = Migration(
    "search activities", stored.creation, pending.creation)

  /// Selects the activities that contain all words of a text.
  static func condition(_ text: String) -> SQL {
    let pattern = FullTextPattern(allOf: text)
    return """
      id IN (SELECT id FROM (\(stored.matches(pattern)))) AND NOT syncPending
      OR id IN (SELECT id FROM (\(pending.matches(pattern)))) AND syncPending
      """
  }
}

/// The people of a group, and the cache of their pictures.
struct GroupPeople: PeopleRepositoryProtocol {
  let group: String
  /// Follows the board.
  let board: @Sendable () -> AsyncThrowingStream<Activities, any Error>
  let engine: SyncEngine<CollectionSource<PersonMutation>>
  let pictures: ResourceCache<PictureKey, [UInt8]>

  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error> {
    .rows(of: board(), from: PeopleOfBoard()) { people, board in
      people.become(board)
      return people.counts
    }
  }

  func people() -> AsyncThrowingStream<[PersonRecord], any Error> {
    .rows(of: engine.observe()) { $0.map(\.record) }
  }

  func prefetch(_ people: [PersonRecord]) async {
    // This loads the pictures of about one screen. The page loads the other pictures when it shows
    // them.
    let keys = people.compactMap(\.picture).prefix(30).map { PictureKey(group: group, id: $0) }
    _ = await pictures.prefetch(keys)
  }

  func setPicture(_ picture: String?, of person: PersonName) async throws(ActivityError) {
    try await engine.store(.setPicture(name: person.text, picture: picture))
  }
}

/// The short links of an account.
struct AccountLinks: LinkRepositoryProtocol {
  let engine: SyncEngine<CollectionSource<LinkMutation>>
  let server: URL

  func links() -> AsyncThrowingStream<[ShortLink], any Error> {
    .rows(of: engine.observe()) { [server] rows in
      rows.map { ShortLink($0.record, on: server, isPending: $0.isPending) }
    }
  }

  func add(_ link: LinkRecord) async throws(ActivityError) { try await engine.store(.add(link)) }

  func remove(_ name: String) async throws(ActivityError) {
    try await engine.store(.remove(id: name))
  }
}

/// Feedback to the people who run the server.
struct ServerFeedback: FeedbackServiceProtocol {
  let network: any NetworkService

  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    _ = try await network.value(
      for: Endpoint<NoContent>(
        .post, "/feedback", body: ["text": text], idempotencyKey: key)
    ) { part in
      if case .sent(let bytes, let total) = part, let total, total > 0 {
        progress(Double(bytes) / Double(total))
      }
    }
  }
}
