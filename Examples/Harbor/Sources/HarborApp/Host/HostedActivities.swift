import CausewayData
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures

/// The board of a group in the database of the backend, for one account.
struct HostedActivities: ActivityRepositoryProtocol {
  let records: HostedCollection<ActivityMutation>
  let now: @Sendable () -> Date

  func activities() -> AsyncThrowingStream<Activities, any Error> {
    records.values(in: [], replacing: { $0.replace($1, by: $2) }) { $0.activity() }
  }

  func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    let date = now()
    let activity = Activity(
      id: UUID().uuidString.lowercased(), details: details, host: host, participants: [host],
      created: date, updated: date, revision: 1)
    try await change(activity.id) { _ in .create(ActivityRecord(activity)) }
    return activity
  }

  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    let date = now().timeIntervalSince1970
    let saved = try await change(id) { record in
      guard let current = record?.activity() else { throw ActivityError.deleted }
      guard current.details != details else { return nil }
      guard current.revision == revision else {
        throw ActivityError.changedMeanwhile(current: current)
      }
      return .edit(
        id: id, from: ActivityText(current.details), to: ActivityText(details), at: date)
    }
    guard let saved else { throw .deleted }
    return saved.activity()
  }

  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await change(id) { record in
      guard let record else { throw ActivityError.deleted }
      return record.includes(person) ? nil : .join(id: id, person: person.text)
    }
  }

  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await change(id) {
      $0?.includes(person) == true ? .leave(id: id, person: person.text) : nil
    }
  }

  func delete(_ id: Activity.ID) async throws(ActivityError) {
    try await change(id) { $0 == nil ? nil : .delete(id: id) }
  }

  @discardableResult
  private func change(
    _ id: Activity.ID,
    by mutation: @escaping @Sendable (ActivityRecord?) throws -> ActivityMutation?
  ) async throws(ActivityError) -> ActivityRecord? {
    try await storing { try await records.change(id, by: mutation) }
  }
}

/// Runs work that stores a change, and turns its error into an error for people.
func storing<Value>(_ work: () async throws -> Value) async throws(ActivityError) -> Value {
  do {
    return try await work()
  } catch let error as ActivityError {
    throw error
  } catch {
    throw .notStored(reason: Sentence.of(error))
  }
}
