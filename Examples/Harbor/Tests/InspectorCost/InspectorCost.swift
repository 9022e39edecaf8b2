import Causeway
import CausewayInspector
import Foundation
import HarborDomain
import HarborFeatures

/// What an inspector costs an app: real actions on Harbor's board, with and without it.
///
/// An inspected step also renders values on another thread, so the time of the whole round counts:
/// it ends when the inspector has rendered all steps.
@main
@MainActor
enum InspectorCost {
  private static let rounds = 7
  private static let actionsPerRound = 3_000
  private nonisolated static let activities = 200

  static func main() async throws {
    let inspector = try Inspector()
    let file = FileManager.default.temporaryDirectory.appending(path: "board-\(getpid()).ring")
    defer { try? FileManager.default.removeItem(at: file) }
    let ring = try Inspector(ringFile: file.path)
    let silent = StepObserver<FeedInteractor.State, FeedInteractor.Action>.inspected(by: nil)
    let watched = StepObserver<FeedInteractor.State, FeedInteractor.Action>.inspected(by: inspector)
    let mapped = StepObserver<FeedInteractor.State, FeedInteractor.Action>.inspected(by: ring)
    var times: [String: [Double]] = [:]
    for round in -1..<rounds {
      // The observers take turns, so a slower phase of the machine affects all of them.
      let observers: [(String, StepObserver<FeedInteractor.State, FeedInteractor.Action>?)] = [
        ("plain", nil), ("nil", silent), ("watched", watched), ("ring", mapped),
      ]
      for (name, observer) in observers {
        let model = feed(observer)
        let start = ContinuousClock.now
        let handled = processorTime { act(on: model) }
        await inspector.stop()
        await ring.stop()
        if round < 0 { continue }
        let whole = (ContinuousClock.now - start) / .microseconds(1)
        times["\(name), processor time of the sender", default: []].append(handled)
        times["\(name), until it is rendered", default: []].append(whole)
      }
    }
    let plain = median(times["plain, processor time of the sender"])
    for (name, values) in times.sorted(by: { $0.key < $1.key }) {
      let time = median(values)
      print("\(name): \(rounded(time)) us for an action, \(rounded(time / plain)) of plain")
    }
  }

  /// The time of the thread in microseconds: other threads and programs do not count.
  ///
  /// The body does not suspend, so it stays on one thread.
  private static func processorTime(of body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let start = now()
    body()
    return now() - start
  }

  private static func median(_ values: [Double]?) -> Double {
    let values = (values ?? []).sorted()
    return values.isEmpty ? 0 : values[values.count / 2] / Double(actionsPerRound)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

  private static func feed(
    _ observer: StepObserver<FeedInteractor.State, FeedInteractor.Action>?
  ) -> ViewModel<FeedViewState, FeedInteractor.Action> {
    let wording = BoardWording(timeZone: .gmt)
    let board = QuietBoard()
    let environment = FeedEnvironment(
      activities: board, names: board, wording: wording, now: { QuietBoard.now },
      pause: { _ in throw CancellationError() },
      beginning: {
        .init(activities: Activities(QuietBoard.list(activities)), person: QuietBoard.ana)
      })
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

  func activities() -> AsyncThrowingStream<Activities, any Error> { .init { $0.finish() } }
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
