import CausewayData
import CausewayStreams
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The services of the device for the features of a page.
extension Device {
  /// The environment of a page.
  ///
  /// - Parameters:
  ///   - browser: The identity of the browser. Each browser has its own name on the board.
  ///   - wording: The texts in the time zone of the page.
  func environment(for browser: String, _ wording: BoardWording) -> HarborEnvironment {
    let name = BrowserName(names, browser: browser, fallback: accountName)
    let parts = account
    let board = group.flatMap { parts?.board(of: $0.id) }
    var pages = board?.pages
    pages?.admit = { [creations] in creations.allows(browser) }
    return HarborEnvironment(
      feed: FeedEnvironment(
        activities: pages ?? NoBoard() as any ActivityRepositoryProtocol,
        names: name, wording: wording, now: self.environment.now,
        pause: { [clock = self.environment.clock] in try await clock.sleep(for: $0) },
        personal: board.map { PagePart($0.snapshot, name).board },
        beginning: { [snapshot = board?.snapshot] in
          .init(activities: snapshot?.activities, person: name.latest)
        }),
      search: board.map { GroupSearch(activities: $0.activities) } ?? NoServices(),
      people: board.map {
        GroupPeople(group: group?.id ?? "", engine: $0.people, pictures: pictures)
      } ?? NoServices(),
      links: parts.map { AccountLinks(engine: $0.links, server: self.environment.server) }
        ?? NoServices(),
      feedback: ServerFeedback(network: network),
      groups: parts.map { DeviceGroups(device: self, engine: $0.groups) } ?? NoServices(),
      connection: DeviceConnection(outbox: outbox, published: connection) { [weak parts] in
        Task { await parts?.retryNow() }
      },
      account: DeviceAccount(device: self), beginning: accountStates.value)
  }
}

/// The services of a page without an account: empty lists, and errors for all changes.
private struct NoServices: SearchRepositoryProtocol, PeopleRepositoryProtocol,
  LinkRepositoryProtocol, GroupRepositoryProtocol
{
  private var signedOut: ActivityError { .notStored(reason: "Sign in first.") }

  func activities(matching text: String) -> AsyncThrowingStream<[Activity], any Error> { .once([]) }
  func people() -> AsyncThrowingStream<[PersonRecord], any Error> { .once([]) }
  func prefetch(_ people: [PersonRecord]) async {}
  func setPicture(_ picture: String?, of person: PersonName) async throws(ActivityError) {
    throw signedOut
  }
  func links() -> AsyncThrowingStream<[ShortLink], any Error> { .once([]) }
  func add(_ link: LinkRecord) async throws(ActivityError) { throw signedOut }
  func remove(_ name: String) async throws(ActivityError) { throw signedOut }
  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> { .once([]) }
  func found(_ name: PersonName) async throws(ActivityError) { throw signedOut }
  func show(_ group: String) async {}
  func leave(_ group: String) async throws(ActivityError) { throw signedOut }
  func invite(to group: String) async throws -> String { throw signedOut }
  func accept(_ code: String) async throws { throw signedOut }
}

extension AsyncThrowingStream where Failure == any Error {
  fileprivate static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}
