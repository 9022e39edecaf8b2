/// The board's activities, wherever they are kept.
public protocol ActivityRepositoryProtocol: Sendable {
  /// All activities, earliest first: at once, and again after every change.
  ///
  /// Only the newest list is kept for a slow consumer. The sequence fails with
  /// ``ActivityError/notRead(reason:)``.
  func activities() -> AsyncThrowingStream<[Activity], any Error>

  /// Puts an activity on the board; its host is the first who comes.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  @discardableResult
  func create(_ details: ActivityDetails, host: PersonName) async throws(ActivityError) -> Activity

  /// Changes the details. Equal details change nothing.
  ///
  /// - Parameter revision: the ``Activity/revision`` that the edit is based on.
  /// - Throws: ``ActivityError/deleted``, ``ActivityError/changedMeanwhile(current:)`` or
  ///   ``ActivityError/notStored(reason:)``.
  @discardableResult
  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity

  /// Adds a person to those who come. Does nothing if they already come.
  ///
  /// - Throws: ``ActivityError/deleted`` or ``ActivityError/notStored(reason:)``.
  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Removes a person from those who come. Does nothing if they do not come, or if the activity is
  /// gone.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Removes an activity from the board. Does nothing if it is gone.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func delete(_ id: Activity.ID) async throws(ActivityError)
}
