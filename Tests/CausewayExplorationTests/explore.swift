import CausewaySystem
import Synchronization

@testable import CausewayExploration

/// Explores a closure, and returns the result without failing the test.
func explore(
  trials: Int = 5_000, allowsUnfinishedTasks: Bool = false, cancelsTasks: Bool = false,
  hasLateTimers: Bool = false, _ body: @escaping @Sendable () async throws -> Void
) -> ExploredOrders {
  // A slow machine must not end a search early, so the limit is far away.
  Exploration(
    ExplorationSettings(
      trials: trials, limit: .seconds(200), hasLateTimers: hasLateTimers,
      allowsUnfinishedTasks: allowsUnfinishedTasks, cancelsTasks: cancelsTasks), body
  ).run()
}

/// Repeats an order.
func repeated(
  _ order: String, _ body: @escaping @Sendable () async throws -> Void
) -> ExploredOrders {
  Exploration(ExplorationSettings(), body).run(replaying: TrialOrder(order))
}

/// Why a trial fails in these tests.
struct Broken: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw Broken(text) }
}

/// A value that the tasks of a trial share.
final class Shared<Value: Sendable>: Sendable {
  fileprivate let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  var current: Value { value.withLock { $0 } }

  func set(_ new: Value) { value.withLock { $0 = new } }

}

extension Shared where Value == Int {
  /// Adds a number, and returns the sum.
  @discardableResult
  func add(_ number: Int) -> Int {
    value.withLock { value in
      value += number
      return value
    }
  }
}
