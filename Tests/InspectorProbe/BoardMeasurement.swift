import Causeway
import CausewayInspector
import Foundation
import HarborDomain
import HarborFeatures

/// What an inspector costs an app: real actions on Harbor's board, with and without it.
///
/// An inspected step also renders values on another thread, so the time of the whole round counts:
/// it ends when the inspector has rendered all steps.
@MainActor
enum BoardMeasurement {
  private static let rounds = 7
  private static let actionsPerRound = 3_000
  private nonisolated static let activities = 200

  static func run() async throws {
    let inspector = try Inspector()
    let silent = StepObserver<FeedInteractor.State, FeedInteractor.Action>.inspected(by: nil)
    let watched = StepObserver<FeedInteractor.State, FeedInteractor.Action>.inspected(by: inspector)
    var times: [String: [Double]] = [:]
    for round in -1..<rounds {
      // In turn, so that a slower phase of the machine concerns all of them.
      let observers: [(String, StepObserver<FeedInteractor.State, FeedInteractor.Action>?)] = [
        ("plain", nil), ("nil", silent), ("watched", watched),
      ]
      for (name, observer) in observers {
        let model = feed(observer)
        let clock = ContinuousClock()
        let handled = clock.measure { act(on: model) }
        let rest = await clock.measure { await inspector.settle() }
        if round < 0 { continue }
        times["\(name), main actor", default: []].append(handled / .microseconds(1))
        times["\(name), with rendering", default: []].append((handled + rest) / .microseconds(1))
      }
    }
    for (name, values) in times.sorted(by: { $0.key < $1.key }) {
      let median = values.sorted()[values.count / 2] / Double(actionsPerRound)
      print("\(name): \((median * 100).rounded() / 100) us for an action")
    }
  }

  private static func feed(
    _ observer: StepObserver<FeedInteractor.State, FeedInteractor.Action>?
  ) -> ViewModel<FeedViewState, FeedInteractor.Action> {
    let wording = BoardWording(timeZone: .gmt)
    let board = QuietBoard()
    let environment = FeedEnvironment(
      activities: board, names: board, wording: wording, now: { QuietBoard.now },
      pause: { _ in throw CancellationError() },
      beginning: { .init(activities: QuietBoard.list(activities), person: QuietBoard.ana) })
    return ViewModel(
      FeedInteractor(environment: environment), reducer: FeedReducer(wording: wording),
      observer: observer)
  }

  /// Opens and closes forms all over the board, and dismisses problems.
  private static func act(on model: ViewModel<FeedViewState, FeedInteractor.Action>) {
    for number in 0..<actionsPerRound / 5 {
      let id = "\(number % activities)"
      model.send(.edit(id: id))
      model.send(.cancelEditing(id: id))
      model.send(.openComposer)
      model.send(.closeComposer)
      model.send(.dismissProblem)
    }
  }
}

/// A board that never changes.
private struct QuietBoard: ActivityRepositoryProtocol, NameRepositoryProtocol {
  static let now = Date(timeIntervalSince1970: 1_778_323_200)
  static let ana = try? PersonName("Ana")

  static func list(_ count: Int) -> [Activity] {
    (0..<count).compactMap { number in
      let draft = ActivityDraft(
        title: "Activity \(number)", place: "Pier \(number % 9)", notes: "Bring warm clothes.",
        start: now.addingTimeInterval(Double(number) * 3_600 + 7_200))
      guard let ana, let details = try? draft.validated(at: now) else { return nil }
      return Activity(
        id: "\(number)", details: details, host: ana, participants: [ana], created: now,
        updated: now, revision: 1)
    }
  }

  func activities() -> AsyncThrowingStream<[Activity], any Error> { .init { $0.finish() } }
  func create(_: ActivityDetails, host: PersonName) async throws(ActivityError) -> Activity {
    throw .deleted
  }
  func update(
    _: Activity.ID, to: ActivityDetails, basedOn: Int
  ) async throws(ActivityError) -> Activity { throw .deleted }
  func join(_: Activity.ID, as: PersonName) async throws(ActivityError) {}
  func leave(_: Activity.ID, as: PersonName) async throws(ActivityError) {}
  func delete(_: Activity.ID) async throws(ActivityError) {}
  func remembered() async throws(ActivityError) -> PersonName? { nil }
  func remember(_: PersonName) async throws(ActivityError) {}
}
