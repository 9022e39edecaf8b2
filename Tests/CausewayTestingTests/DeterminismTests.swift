import Causeway
import CausewayTesting
import TestSupport
import Testing

/// Responds after a number of turns of the main actor.
@MainActor
private final class Post {
  var received: [Int] = []

  /// Returns through unstructured tasks.
  func answer(after turns: Int) async {
    await withCheckedContinuation { continuation in
      pass(turns) { continuation.resume() }
    }
  }

  private func pass(_ turns: Int, _ arrive: @escaping @MainActor () -> Void) {
    if turns == 0 { return arrive() }
    _ = Task { self.pass(turns - 1, arrive) }
  }
}

private struct Sender: Interactor {
  let post: Post

  var body: some Interactor<[Int], Int> {
    Interact(initialValue: []) { [post] _, turns in
      .perform(.parallel, id: "send") { send in
        await post.answer(after: turns)
        await send { $0.append(turns) }
      }
    }
  }
}

@MainActor
@Suite(.oneAtATime, .timeLimit(.minutes(10))) struct DeterminismTests {
  /// Returns the observations of the script in all trials: the number of responses so far, and the
  /// final order of the responses.
  private static func orders() async -> [[Int]] {
    let orders = Log<[Int]>()
    await exploreInterleavings(of: Sender(post: Post()), trials: 40) { model in
      for turns in [3, 1, 2, 1] {
        await model.send(turns)
        // The script itself waits too.
        let count = await withCheckedContinuation { continuation in
          _ = Task { @MainActor in continuation.resume(returning: model.state.count) }
        }
        orders.append([count])
      }
      await model.settle()
      orders.append(model.state)
    } check: { _ in
    }
    return orders.all
  }

  @Test func `a seed gives the same order under any load of the concurrent executor`() async {
    let quiet = await Self.orders()
    #expect(Set(quiet).count > 10)
    for _ in 0..<5 {
      let busy = Task { @concurrent in
        await withDiscardingTaskGroup { group in
          for _ in 0..<4 {
            group.addTask { while !Task.isCancelled { await Task.yield() } }
          }
        }
      }
      let orders = await Self.orders()
      busy.cancel()
      await busy.value
      #expect(orders == quiet)
    }
  }

  @Test func `a script can await and cancel actors and child tasks`() async {
    actor Counter {
      var count = 0
      func add() async -> Int {
        await Task.yield()
        count += 1
        return count
      }
    }
    let counts = Log<[Int]>()
    await exploreInterleavings(of: Sender(post: Post()), trials: 20) { model in
      let counter = Counter()
      await model.send(2)
      // This sleep is not awaited, so the end of the script cancels it.
      async let _: Void = model.clock.sleep(for: .seconds(1))
      let waiter = Task { await Gate().wait() }
      counts.append([await counter.add(), await counter.add()])
      waiter.cancel()
      await waiter.value
      await model.send(1)
    } check: { state in
      #expect(state.count == 2)
    }
    #expect(counts.all == Array(repeating: [1, 2], count: 20))
  }

  @Test func `a drain waits for responses that take several turns of the main actor`() async {
    let model = TestModel(Sender(post: Post()))
    await model.send(7)
    await model.expect { $0 = [7] }
    await model.finish()
  }
}
