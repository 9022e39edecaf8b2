/// The people of a group: those who host or join activities, and those who have pictures.
public protocol PeopleRepositoryProtocol: Sendable {
  /// Yields the number of activities that each person hosts or joins, now and after each change.
  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error>

  /// Yields the people with pictures, now and after each change.
  func people() -> AsyncThrowingStream<[PersonRecord], any Error>

  /// Loads the pictures of these people, so the page shows them at once.
  func prefetch(_ people: [PersonRecord]) async

  /// Sets a picture that was chosen, or removes it.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func setPicture(_ picture: String?, of person: PersonName) async throws(ActivityError)
}
