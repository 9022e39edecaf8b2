import CausewayTesting
import Observation
import TestSupport

/// The failures that a model reports instead of failing the test.
@MainActor final class Failures {
  private let log = Log<String>()

  var all: [String] { log.all }

  var reporter: FailureReporter {
    FailureReporter { [log] message, _ in log.append(message) }
  }
}

/// Counts the invalidations of a view.
@MainActor final class Invalidations {
  private let log = Log<Int>()

  var count: Int { log.all.count }

  /// Reads values as a view does, once.
  func observe<Value>(_ read: () -> Value) {
    withObservationTracking {
      _ = read()
    } onChange: { [log] in
      log.append(1)
    }
  }
}
