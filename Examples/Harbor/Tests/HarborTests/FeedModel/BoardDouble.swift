import CausewayTesting
import Foundation
import HarborDomain
import Synchronization
import TestSupport

/// A board in memory, whose writes take time, and fail or wait on request.
final class BoardDouble: ActivityRepositoryProtocol, NameRepositoryProtocol {
  private typealias Follower = AsyncThrowingStream<Activities, any Error>.Continuation

  private struct Contents {
    var list: [Activity]
    var followers: [Follower] = []
    var refusals: [String: ActivityError] = [:]
    var gate: Gate?
    var answerGate: Gate?
    var name: PersonName?
    var count = 0
  }

  private let contents: Mutex<Contents>

  init(_ list: [Activity] = [], name: PersonName? = nil) {
    contents = Mutex(Contents(list: list, name: name))
  }

  var list: [Activity] { contents.withLock(\.list) }
  var name: PersonName? { contents.withLock(\.name) }

  /// Makes the next write to an activity fail, by its id, or by the title of a new activity.
  func refuse(_ what: String, _ error: ActivityError = .notStored(reason: "Disk full.")) {
    contents.withLock { $0.refusals[what] = error }
  }

  /// Makes writes wait until the gate is opened.
  func hold(at gate: Gate?) {
    contents.withLock { $0.gate = gate }
  }

  /// Makes the responses to completed writes wait until the gate is opened.
  func holdAnswers(at gate: Gate?) {
    contents.withLock { $0.answerGate = gate }
  }

  /// Changes the board at once, as another person.
  func change(_ body: (inout [Activity]) -> Void) {
    let (list, followers) = contents.withLock { contents in
      body(&contents.list)
      return (contents.list, contents.followers)
    }
    for follower in followers { follower.yield(Activities(list)) }
  }

  /// Ends all live lists with an error.
  func fail(_ error: ActivityError) {
    let followers = contents.withLock { contents in
      defer { contents.followers = [] }
      return contents.followers
    }
    for follower in followers { follower.finish(throwing: error) }
  }

  func activities() -> AsyncThrowingStream<Activities, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let list = contents.withLock { contents in
        contents.followers.append(continuation)
        return contents.list
      }
      continuation.yield(Activities(list))
    }
  }

  func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    try await write(details.title) { contents throws(ActivityError) in
      contents.count += 1
      let activity = Activity(
        id: "new-\(contents.count)", details: details, host: host, participants: [host],
        created: Board.now, updated: Board.now, revision: 1)
      contents.list.append(activity)
      return activity
    }
  }

  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    try await write(id) { contents throws(ActivityError) in
      guard let index = contents.list.firstIndex(where: { $0.id == id }) else { throw .deleted }
      if contents.list[index].details == details { return contents.list[index] }
      guard contents.list[index].revision == revision else {
        throw .changedMeanwhile(current: contents.list[index])
      }
      contents.list[index].details = details
      contents.list[index].revision += 1
      return contents.list[index]
    }
  }

  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await write(id) { contents throws(ActivityError) in
      guard let index = contents.list.firstIndex(where: { $0.id == id }) else { throw .deleted }
      if !contents.list[index].includes(person) {
        contents.list[index].participants.append(person)
      }
    }
  }

  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await write(id) { contents throws(ActivityError) in
      guard let index = contents.list.firstIndex(where: { $0.id == id }) else { return }
      contents.list[index].participants.removeAll { $0 == person }
    }
  }

  func delete(_ id: Activity.ID) async throws(ActivityError) {
    try await write(id) { contents throws(ActivityError) in
      contents.list.removeAll { $0.id == id }
    }
  }

  func remembered() async throws(ActivityError) -> PersonName? {
    await suspensionPoint()
    return name
  }

  func remember(_ name: PersonName) async throws(ActivityError) {
    await suspensionPoint()
    contents.withLock { $0.name = name }
  }

  /// A write on its way to the board, and its response on the way back.
  private func write<Value: Sendable>(
    _ what: String, _ body: (inout Contents) throws(ActivityError) -> Value
  ) async throws(ActivityError) -> Value {
    if let gate = contents.withLock(\.gate) { await gate.wait() }
    await suspensionPoint()
    let (result, list, followers) = contents.withLock { contents in
      if let refusal = contents.refusals.removeValue(forKey: what) {
        return (Result<Value, ActivityError>.failure(refusal), contents.list, [Follower]())
      }
      let before = contents.list
      let result = Result { () throws(ActivityError) in try body(&contents) }
      return (result, contents.list, contents.list == before ? [] : contents.followers)
    }
    for follower in followers { follower.yield(Activities(list)) }
    if let gate = contents.withLock(\.answerGate) { await gate.wait() }
    await suspensionPoint()
    return try result.get()
  }
}
