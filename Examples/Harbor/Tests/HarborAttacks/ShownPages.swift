import Causeway
import CausewayData
import Foundation
import HarborDomain
import HarborFeatures

/// The records of a board, as all parts of the app show them.
struct ShownPages: Sendable {
  var activities: [ActivityRecord]
  var people: [PersonRecord]
  var links: [LinkRecord]
  var groups: [GroupRecord]

  /// Makes the texts of all pages, and the JSON that browsers get.
  @MainActor func show(_ choices: Choices) async throws {
    var writer = JSONWriter(choices: choices)
    let shown = activities.map { $0.activity() }
    let zone = writer.choices.element(of: ["Europe/Berlin", "Pacific/Kiritimati", "Asia/Kolkata"])
    let wording = BoardWording(timeZone: TimeZone(identifier: zone) ?? .gmt)
    let board = ViewModel(
      FeedInteractor(environment: feed(shown, wording)), reducer: BoardReducer(wording: wording))
    try encode(board.viewState)
    for section in HarborInteractor.Section.allCases {
      let model = ViewModel(
        HarborInteractor(environment: environment(shown, wording), address: section.address),
        reducer: PageReducer(wording: wording))
      model.send(.appear)
      for activity in shown {
        let revision = Int(writer.number())
        model.send(.home(.feed(.edit(id: activity.id, revision: revision))))
        model.send(.home(.feed(.join(id: activity.id))))
        let form = ActivityForm(
          title: activity.details.title, start: "2027-01-16T18:\(writer.number())")
        model.send(.home(.feed(.create(form: form, attempt: revision ?? .max))))
        model.send(.home(.feed(.save(id: activity.id, form: form))))
      }
      // The streams of the other parts yield their first elements.
      for _ in 0..<20 { await Task.yield() }
      try encode(model.viewState)
    }
  }

  /// A number that JSON cannot contain, such as infinity, is an error here.
  private func encode(_ state: some Encodable) throws {
    _ = try JSONEncoder().encode(state)
  }

  private func feed(_ shown: [Activity], _ wording: BoardWording) -> FeedEnvironment {
    FeedEnvironment(
      activities: FixedBoard(list: shown), names: NoName(), wording: wording,
      now: { AttackedHarbor.now }, pause: { _ in try await Task.sleep(for: .seconds(3_600)) },
      beginning: { .init(activities: Activities(shown), person: shown.first?.host) })
  }

  @MainActor private func environment(
    _ shown: [Activity], _ wording: BoardWording
  ) -> HarborEnvironment {
    let services = FixedServices(pages: self, shown: shown)
    var account = AccountState(id: "a", name: "Ana", group: groups.first?.id ?? "g")
    account.hasLocalAccount = true
    return HarborEnvironment(
      feed: feed(shown, wording), search: services, people: services, links: services,
      feedback: services, groups: services, connection: services, account: services,
      beginning: account)
  }
}

/// A board whose activities do not change.
private struct FixedBoard: ActivityRepositoryProtocol {
  let list: [Activity]

  func activities() -> AsyncThrowingStream<Activities, any Error> {
    AsyncThrowingStream { $0.yield(Activities(list)) }
  }

  func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity { throw .notStored(reason: "It is full.") }

  func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    guard let current = list.first(where: { $0.id == id }) else { throw .deleted }
    throw .changedMeanwhile(current: current)
  }

  func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {}
  func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {}
  func delete(_ id: Activity.ID) async throws(ActivityError) {}
}

/// Services that yield the records once.
private struct FixedServices: SearchRepositoryProtocol, PeopleRepositoryProtocol,
  LinkRepositoryProtocol, FeedbackServiceProtocol, GroupRepositoryProtocol,
  ConnectionServiceProtocol, AccountServiceProtocol
{
  let pages: ShownPages
  let shown: [Activity]

  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    AsyncThrowingStream {
      $0.yield(SearchResults(rows: Array(shown.prefix(limit)), total: shown.count))
    }
  }

  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error> {
    var people = PeopleOfBoard()
    people.become(Activities(shown))
    return AsyncThrowingStream { [counts = people.counts] in $0.yield(counts) }
  }

  func people() -> AsyncThrowingStream<[PersonRecord], any Error> {
    AsyncThrowingStream { $0.yield(pages.people) }
  }

  func links() -> AsyncThrowingStream<[ShortLink], any Error> {
    AsyncThrowingStream {
      $0.yield(
        pages.links.map { .init(id: $0.id, target: $0.target, address: $0.id, isPending: false) })
    }
  }

  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    AsyncThrowingStream { $0.yield(pages.groups) }
  }

  func states() -> AsyncStream<ConnectionState> { AsyncStream { $0.yield(.init()) } }
  func accounts() -> AsyncStream<AccountState> { AsyncStream { _ in } }
  func prefetch(_ people: [PersonRecord]) async {}
  func setPicture(_ picture: String?, of person: PersonName) async throws(ActivityError) {}
  func add(_ link: LinkRecord) async throws(ActivityError) {}
  func remove(_ name: String) async throws(ActivityError) {}
  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws {}
  func found(_ name: PersonName) async throws(ActivityError) {}
  func show(_ group: String) async {}
  func leave(_ group: String) async throws(ActivityError) {}
  func invite(to group: String) async throws -> String { "" }
  func calendar(of group: String?) async throws -> String { "/calendar/x.ics" }
  func accept(_ code: String) async throws {}
  func retry() async {}
  func resend(_ key: String) async throws {}
  func discard(_ key: String) async throws {}
  func signIn(_ credentials: Credentials) async throws {}
  func signUp(_ credentials: Credentials) async throws {}
  func signInLocally() async throws {}
  func signOut() async throws {}
}
