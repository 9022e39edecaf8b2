import CausewayData
import HarborDomain

/// The services of a page without an account: empty lists, and errors for all changes.
struct NoServices: SearchRepositoryProtocol, PeopleRepositoryProtocol,
  LinkRepositoryProtocol, GroupRepositoryProtocol, FeedbackServiceProtocol
{
  private var signedOut: ActivityError { .notStored(reason: "Sign in first.") }

  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    .once(SearchResults())
  }
  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error> { .once([:]) }
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
  func calendar(of group: String?) async throws -> String { throw signedOut }
  func accept(_ code: String) async throws { throw signedOut }
  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws { throw signedOut }
}
