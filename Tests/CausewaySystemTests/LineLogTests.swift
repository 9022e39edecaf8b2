import CausewaySystem
import Synchronization
import Testing

@Suite struct `A log of problems` {
  /// The lines and the time of a log.
  private final class Output: Sendable {
    private let lines = Mutex<[String]>([])
    private let passed = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + passed.withLock(\.self) }

    func pass(_ time: Duration) { passed.withLock { $0 += time } }
    func append(_ text: String) { lines.withLock { $0.append(text) } }
    func take() -> [String] { lines.withLock { $0.take() } }
  }

  private func log(to output: Output) -> LineLog {
    LineLog("test", now: { output.now }, to: { output.append($0) })
  }

  @Test func `writes one line for each problem, even if its text has many lines`() {
    let output = Output()
    log(to: output).write("Ana\n\u{1B}[2Jtest: forged")
    #expect(output.take() == ["test: Ana\\n\\u{1B}[2Jtest: forged\n"])
  }

  @Test func `does not fill the disk with 30 requests of 300 kB each`() {
    let output = Output()
    let log = log(to: output)
    for _ in 0..<30 { log.write(String(repeating: "x\u{1}", count: 150_000)) }
    let lines = output.take()
    #expect(lines.count == 30)
    #expect(lines.reduce(0) { $0 + $1.utf8.count } < 30 * (LineLog.longest + 100))
  }

  @Test func `counts suppressed lines, and makes no text for them`() {
    let output = Output()
    let log = log(to: output)
    for _ in 0..<LineLog.burst { log.write("flood") }
    #expect(output.take().count == LineLog.burst)
    func unwanted() -> String {
      Issue.record("The text of a suppressed line was made.")
      return ""
    }
    for _ in 0..<1_000 { log.write(unwanted()) }
    #expect(output.take() == [])
    output.pass(.seconds(1))
    log.write("first")
    log.write("second")
    #expect(output.take() == ["test: 1000 more suppressed\ntest: first\n", "test: second\n"])
  }
}

extension Array {
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
