import Foundation

/// The times of a test in seconds.
struct TestTime: Equatable {
  let test: String
  /// The processor time, including the time of the processes that the test has waited for.
  let processor: Double
  /// The time on the clock.
  let clock: Double

  var text: String { String(format: "%7.2f %7.2f  ", processor, clock) + test }

  var nameWithoutParameters: String {
    test.replacing(/\([^()]*\)$/, with: "")
  }

  /// Whether the test is one of those that need more time: lines with a name and a reason.
  func isAllowed(by lines: [String]) -> Bool {
    lines.contains { $0.hasPrefix(nameWithoutParameters + " ") }
  }
}

/// The begin or the end of a test in the event stream of `swift test`.
struct TestEvent {
  let test: String
  let isEnd: Bool
  /// The time in seconds.
  let instant: Double

  /// Reads a line of the stream; nothing for another event.
  init?(_ line: String) {
    struct Event: Decodable {
      struct Payload: Decodable {
        struct Instant: Decodable { let absolute: Double }
        let kind: String
        let testID: String?
        let instant: Instant
      }
      let payload: Payload
    }
    guard line.contains("\"testStarted\"") || line.contains("\"testEnded\""),
      let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)).payload,
      let id = event.testID, event.kind == "testStarted" || event.kind == "testEnded",
      // A suite has no parentheses.
      id.contains("(")
    else { return nil }
    test = id.replacing(/\/[^\/]*\.swift:[0-9:]+$/, with: "")
    isEnd = event.kind == "testEnded"
    instant = event.instant.absolute
  }
}

/// Measures tests that run one at a time.
struct TestClock {
  let ticksPerSecond: Double
  private(set) var times: [TestTime] = []
  private var started: [String: (ticks: Int, instant: Double)] = [:]
  private var ticks = 0

  init(ticksPerSecond: Double) { self.ticksPerSecond = ticksPerSecond }

  /// Adds an event.
  ///
  /// - Parameter ticks: The processor time of the process until now, if it is known.
  mutating func add(_ event: TestEvent, ticks now: Int?) {
    ticks = now ?? ticks
    guard event.isEnd else {
      started[event.test] = (ticks, event.instant)
      return
    }
    let start = started.removeValue(forKey: event.test) ?? (ticks, event.instant)
    times.append(
      TestTime(
        test: event.test, processor: Double(ticks - start.ticks) / ticksPerSecond,
        clock: event.instant - start.instant))
  }
}
