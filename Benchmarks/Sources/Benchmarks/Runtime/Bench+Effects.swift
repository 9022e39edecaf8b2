import Causeway

/// A feature that follows streams and starts effects; each effect sends once.
struct Worker: Interactor {
  struct State: Sendable {
    var id = 0
    var count = 0
  }

  enum Action: Sendable {
    case count
    case start(Int)
    case stay(Int)
    case wait
    case follow(AsyncStream<Int>)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .count:
        state.count += 1
        return .state
      case .wait: return .perform { _ in try await Task.sleep(for: .seconds(3_600)) }
      case .start(1): return .perform { send in await send { $0.count += 1 } }
      case .start(let count):
        return .merge((0..<count).map { _ in .perform { send in await send { $0.count += 1 } } })
      case .stay(1): return .stay { send in send { $0.count += 1 } }
      case .stay(let count):
        return .merge((0..<count).map { _ in .stay { send in send { $0.count += 1 } } })
      case .follow(let stream): return .observe(stream) { state, element in state.count += element }
      }
    }
  }
}

@MainActor
final class Tally {
  var count = 0

  func add(_ number: Int) {
    count += number
  }

  /// Starts plain tasks, which each hop to the main actor once, and waits for all of them.
  func startTasks(_ count: Int) async {
    let tasks = (0..<count).map { _ in Task { @concurrent in await self.add(1) } }
    for task in tasks { await task.value }
  }

  /// Starts plain tasks that stay on the main actor, and waits for all of them.
  func startStayingTasks(_ count: Int) async {
    let tasks = (0..<count).map { _ in Task { self.add(1) } }
    for task in tasks { await task.value }
  }

  /// Handles the elements of a stream on the main actor, with a hop for each.
  func follow(_ stream: AsyncStream<Int>) async {
    for await element in stream { add(element) }
  }
}

extension Bench {
  mutating func measureEffects() async {
    let tally = Tally()
    let model = ViewModel(Worker())
    // An effect has two more objects than the task of the floor: its request and its record. The
    // record is needed to cancel, await and report the effect.
    await measure(
      "100,000 effects at once, each sends once", target: "<= 1.2 x floor", operations: 100_000
    ) {
      await tally.startTasks($0)
    } work: {
      await model.send(.start($0)).finish()
    }
    await measure("effects one after the other", target: "<= 1.3 x floor", operations: 10_000) {
      for _ in 0..<$0 { await Task { @concurrent in await tally.add(1) }.value }
    } work: {
      for _ in 0..<$0 { await model.send(.start(1)).finish() }
    }
    await measureStayingEffects(model, tally)
    await measure("stream elements in a burst", target: "<= 1.2 x floor", operations: 200_000) {
      // The iteration alone, off the main actor: no element is applied.
      let stream = AsyncStream.burst($0)
      _ = await Task { @concurrent in
        var sum = 0
        for await element in stream { sum += element }
        return sum
      }.value
    } work: {
      await model.send(.follow(.burst($0))).finish()
    }
    await measure("stream elements that trickle", target: "<= 1.1 x floor", operations: 10_000) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let follower = Task { await tally.follow(stream) }
      await trickle($0, continuation) { tally.count }
      await follower.value
    } work: {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = model.send(.follow(stream))
      await trickle($0, continuation) { model.viewState.count }
      await task.finish()
    }
  }
}

extension Bench {
  /// Measures effects that stay on the main actor, compared with plain tasks that do.
  private mutating func measureStayingEffects(
    _ model: ViewModel<Worker.State, Worker.Action>, _ tally: Tally
  ) async {
    await measure(
      "100,000 staying effects at once, each sends once", target: "<= 1.2 x floor",
      operations: 100_000
    ) {
      await tally.startStayingTasks($0)
    } work: {
      await model.send(.stay($0)).finish()
    }
    await measure(
      "staying effects one after the other", target: "<= 1.2 x floor", operations: 10_000
    ) {
      for _ in 0..<$0 { await Task { tally.add(1) }.value }
    } work: {
      for _ in 0..<$0 { await model.send(.stay(1)).finish() }
    }
  }
}

/// Yields an element only after the previous one was handled.
@MainActor
private func trickle(
  _ count: Int, _ continuation: AsyncStream<Int>.Continuation, _ handled: () -> Int
) async {
  let start = handled()
  for index in 0..<count {
    continuation.yield(1)
    while handled() == start + index { await Task.yield() }
  }
  continuation.finish()
}

extension AsyncStream<Int> {
  fileprivate static func burst(_ count: Int) -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<count { continuation.yield(1) }
    continuation.finish()
    return stream
  }
}
