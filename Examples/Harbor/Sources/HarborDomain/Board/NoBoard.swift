/// A board without activities, for a page without a group.
public struct NoBoard: ActivityRepositoryProtocol {
  /// Makes it.
  public init() {}

  /// Yields an empty list.
  public func activities() -> AsyncThrowingStream<Activities, any Error> {
    AsyncThrowingStream { $0.yield([]) }
  }

  /// Throws, because there is no group.
  public func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    throw .notStored(reason: "There is no group.")
  }

  /// Throws, because there is no activity.
  public func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    throw .deleted
  }

  /// Throws, because there is no activity.
  public func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    throw .deleted
  }

  /// Does nothing.
  public func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {}

  /// Does nothing.
  public func delete(_ id: Activity.ID) async throws(ActivityError) {}
}
