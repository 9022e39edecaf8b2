/// The board's activities, independent of their storage.
public protocol ActivityRepositoryProtocol: Sendable {
  /// Yields all activities, at once and after every change.
  ///
  /// A slow consumer gets only the newest list. The sequence fails with
  /// ``ActivityError/notRead(reason:)``.
  func activities() -> AsyncThrowingStream<Activities, any Error>

  /// Puts an activity on the board with its host as the first participant.
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

  /// Adds a participant. Does nothing if the person already comes.
  ///
  /// - Throws: ``ActivityError/deleted`` or ``ActivityError/notStored(reason:)``.
  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Removes a participant. Does nothing if the person does not come, or if the activity was
  /// deleted.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError)

  /// Removes an activity from the board. Does nothing if it was removed already.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func delete(_ id: Activity.ID) async throws(ActivityError)
}
