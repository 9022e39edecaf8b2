import CSimulatedSystem
import CausewaySystem
import Synchronization
private import Testing

/// The assertions of Swift Testing and of XCTest that have failed in the code of a trial.
package final class AssertionLog: Sendable {
  private let failures = Mutex<[String]>([])
  private let count = Atomic(0)

  package init() {}

  /// Whether an assertion has failed since the last call of ``take()``.
  package var hasFailures: Bool { count.load(ordering: .acquiring) > 0 }

  /// Removes and returns the failures.
  package func take() -> [String] {
    failures.withLock { failures in
      count.store(0, ordering: .releasing)
      defer { failures = [] }
      return failures
    }
  }

  private func add(_ failure: String) {
    failures.withLock { failures in
      failures.append(failure)
      count.store(failures.count, ordering: .releasing)
    }
  }

  /// Runs a closure, and stores its failed assertions instead of failing the running test.
  ///
  /// In a test of Swift Testing, the log receives the assertions of the code that the closure
  /// calls, and of the tasks that this code makes, except detached tasks. On Linux, the log also
  /// receives the assertions of XCTest from the threads of a trial with this log.
  package func collect<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    causeway_collect_assertions { text, file, line in
      guard let log = Scheduler.ofThread?.owner?.assertions, let text, let file else { return 0 }
      log.add(
        AssertionLog.text(
          of: text.load(as: String.self), file: file.load(as: String.self), line: line))
      return 1
    }
    defer { causeway_collect_no_assertions() }
    guard let locals = taskLocals() else { return body() }
    let result = Box<Value>()
    locals.perform {
      let value = body()
      result.value.withLock { $0 = value }
    }
    guard let value = result.value.withLock({ $0 }) else {
      preconditionFailure("The task of the stored values did not run")
    }
    return value
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// The task-local values that direct the assertions of the running test to this log.
  private func taskLocals() -> StoredTaskLocals? {
    guard let test = Test.current else { return nil }
    let testCase = Test.Case.current
    let trait = IssueHandlingTrait.filterIssues { [self] issue in
      // A warning is not a failure. Older versions have no warnings.
      #if compiler(>=6.3)
        guard issue.isFailure else { return true }
      #endif
      add(Self.text(of: issue))
      return false
    }
    let locals = Box<StoredTaskLocals>()
    let jobs = HeldJobs()
    _ = Task(executorPreference: jobs) { @concurrent in
      try? await trait.provideScope(for: test, testCase: testCase) {
        let new = StoredTaskLocals()
        locals.value.withLock { $0 = new }
      }
    }
    // The trait only sets values and calls the closure, so it ends at once.
    jobs.run()
    return locals.value.withLock { $0 }
  }

  /// The text of a failed assertion of XCTest, which names its file as Swift Testing does.
  private static func text(of failure: String, file: String, line: Int) -> String {
    let path = file.split(separator: "/").suffix(2).joined(separator: "/")
    return "\(failure) (\(path):\(line))"
  }

  private static func text(of issue: Issue) -> String {
    let place = issue.sourceLocation.map { " (\($0.fileID):\($0.line))" } ?? ""
    return "\(issue)\(place)"
  }
}
