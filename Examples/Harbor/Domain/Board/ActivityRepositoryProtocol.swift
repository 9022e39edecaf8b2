/// The board's activities, wherever they are kept.
public protocol ActivityRepositoryProtocol: Sendable {
  /// All activities, earliest first: at once, and again after every change by anybody.
  ///
  /// Only the newest list is kept for a slow consumer. The sequence fails with
  /// ``ActivityError/notRead(reason:)``.
  func activities() -> AsyncThrowingStream<[Activity], any Error>

  /// Puts an activity on the board; its host is the first who comes.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  @discardableResult
  func create(_ details: ActivityDetails, host: PersonName) async throws(ActivityError) -> Activity

  /// Changes what is done, when or where. Changing nothing is no change.
  ///
  /// - Parameter revision: the ``Activity/revision`` that the edit is based on.
  /// - Throws: ``ActivityError/deleted``, ``ActivityError/changedMeanwhile(current:)`` or
  ///   ``ActivityError/notStored(reason:)``.
  @discardableResult
  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity

  /// Lets a person come along. Nothing happens where they already do.
  ///
  /// - Throws: ``ActivityError/deleted`` or ``ActivityError/notStored(reason:)``.
  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Lets a person not come after all. Nothing happens where they do not come, or where the
  /// activity is gone.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Takes an activity off the board. Nothing happens where it is gone.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func delete(_ id: Activity.ID) async throws(ActivityError)
}
