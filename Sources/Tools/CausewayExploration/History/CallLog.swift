import Synchronization

/// The calls of a history, with the numbers of the events at which they began and ended.
package final class CallLog<Input: Sendable, Output: Sendable>: Sendable {
  /// A call.
  package struct Call: Sendable {
    package let input: Input
    /// The number of the event at which the call began.
    package let begin: Int
    /// The number of the event at which the call ended; `nil` if its outcome is unknown.
    package fileprivate(set) var end: Int?
    package fileprivate(set) var output: Output?
  }

  private struct Contents {
    var calls: [Call] = []
    var events = 0
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var calls: [Call] { contents.withLock(\.calls) }

  /// Adds a call, and returns its index.
  package func begin(_ input: Input) -> Int {
    contents.withLock { contents in
      contents.events += 1
      contents.calls.append(Call(input: input, begin: contents.events))
      return contents.calls.count - 1
    }
  }

  /// Ends a call, unless a crash has interrupted it in the same step.
  package func end(_ index: Int, _ output: Output) {
    if Scheduler.ofThread?.isCurrentAlive == false { return }
    contents.withLock { contents in
      contents.events += 1
      contents.calls[index].end = contents.events
      contents.calls[index].output = output
    }
  }
}
