import Causeway
import TestSupport
import Testing

/// Views that start the same observation, and wait for it until they disappear.
@MainActor
struct SeveralViewsTests {
  nonisolated enum Action: Sendable {
    case appear, stop
  }

  /// The observations that run, as something outside of the feature sees them.
  private final class Source {
    private(set) var continuations: [AsyncStream<Int>.Continuation] = []
    let ended = Log<Int>()

    func makeStream() -> AsyncStream<Int> {
      let number = continuations.count
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { [ended] _ in ended.append(number) }
      continuations.append(continuation)
      return stream
    }

    func yield(_ element: Int) { for each in continuations { each.yield(element) } }
  }

  private let source: Source
  private let model: ViewModel<[Int], Action>
  private let waiting = Log<String>()
  private let gone = Log<String>()

  init() {
    let source = Source()
    self.source = source
    model = ViewModel(
      Interact<[Int], Action>(initialValue: []) { _, action in
        switch action {
        case .appear: .observe(source.makeStream(), id: "source") { $0.append($1) }
        case .stop: .cancel("source")
        }
      })
  }

  /// A view that waits for its first action, and is on the screen when this function returns.
  private func view(_ name: String) async -> Task<Void, Never> {
    let count = waiting.all.count
    let task = Task { [model, waiting, gone] in
      let task = model.send(.appear)
      waiting.append(name)
      await task.finish()
      gone.append(name)
    }
    await waiting.wait(for: count + 1)
    return task
  }

  private func receive(_ element: Int) async {
    source.yield(element)
    _ = await model.states.first { $0.contains(element) }
  }

  @Test func `a view still observes after another view of the same feature has gone`() async {
    let first = await view("first")
    let second = await view("second")
    #expect(model.runningEffects == ["source"])
    await receive(1)
    second.cancel()
    await gone.wait(for: 1)
    #expect(gone.all == ["second"])
    await receive(2)
    first.cancel()
    await gone.wait(for: 2)
    #expect(model.viewState == [1, 2])
    #expect(model.runningEffects.isEmpty)
    await source.ended.wait(for: 2)
    #expect(source.ended.all == [0, 1])
  }

  @Test func `the observation does not end with the view that appeared first`() async {
    let first = await view("first")
    let second = await view("second")
    first.cancel()
    await gone.wait(for: 1)
    #expect(gone.all == ["first"])
    await receive(1)
    second.cancel()
    await gone.wait(for: 2)
    #expect(model.runningEffects.isEmpty)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
  func `the last of three views keeps the observation`(order: [Int]) async {
    var views: [Task<Void, Never>] = []
    for name in ["a", "b", "c"] { views.append(await view(name)) }
    for (count, index) in order.enumerated() {
      await receive(count)
      views[index].cancel()
      await gone.wait(for: count + 1)
      #expect(model.runningEffects.count == (count < 2 ? 1 : 0))
    }
    #expect(model.viewState == [0, 1, 2])
  }

  @Test func `both views end with an observation that is cancelled or ends`() async {
    _ = await view("first")
    _ = await view("second")
    model.send(.stop)
    await gone.wait(for: 2)
    #expect(model.runningEffects.isEmpty)
    _ = await view("third")
    _ = await view("fourth")
    source.continuations.last?.finish()
    await gone.wait(for: 4)
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `an observation that no view waits for ends when the later view is cancelled`() async {
    model.send(.appear)
    let second = await view("second")
    second.cancel()
    await gone.wait(for: 1)
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `both views end with the view model`() async {
    do {
      let model = ViewModel(
        Interact<Int, Action>(initialValue: 0) { [source] _, _ in
          .observe(source.makeStream()) { $0 += $1 }
        })
      for _ in 0..<2 {
        let task = model.send(.appear)
        Task { [gone] in
          await task.finish()
          gone.append("")
        }
        await Task.yield()
      }
    }
    await gone.wait(for: 2)
  }
}
