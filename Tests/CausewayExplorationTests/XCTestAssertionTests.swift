#if os(Linux)
  import Synchronization
  import Testing
  import XCTest

  @testable import CausewayExploration

  /// Reads, waits and then writes, so two callers lose an update.
  private actor Total {
    private(set) var value = 0

    func add() async {
      let old = value
      await Task.yield()
      value = old + 1
    }
  }

  private func twoCallers() async {
    let total = Total()
    async let first: Void = total.add()
    async let second: Void = total.add()
    _ = await (first, second)
    let value = await total.value
    XCTAssertEqual(value, 2, "an update is lost")
  }

  struct XCTestAssertionTests {
    @Test func `a failed assertion of XCTest is a failure, and has its text and its line`() {
      let line = #line + 1
      let orders = explore { XCTAssertEqual(1 + 1, 3, "a sum") }
      let reason = orders.failure?.reason ?? ""
      #expect(reason.contains("XCTAssertEqual failed") && reason.contains("a sum"), "\(orders)")
      #expect(reason.hasSuffix("/XCTestAssertionTests.swift:\(line))"), "\(orders)")
    }

    @Test func `an assertion of XCTest in a task of the closure is a failure`() {
      // An assertion in a detached task counts too.
      let orders = explore { await Task.detached { XCTFail("in a task") }.value }
      #expect(orders.failure?.reason.contains("in a task") == true, "\(orders)")
    }

    @Test func `an assertion of XCTest finds a race, which is shortened and can be repeated`()
      throws
    {
      let failure = try #require(explore { await twoCallers() }.failure)
      #expect(failure.reason.contains("an update is lost"))
      let again = repeated(failure.replay) { await twoCallers() }
      #expect(again.failure?.reason == failure.reason)
    }

    @Test func `an assertion of XCTest that holds is no failure`() {
      let orders = explore(trials: 10) { XCTAssertEqual(1 + 1, 2) }
      #expect(orders.failure == nil, "\(orders)")
    }

    @Test func `explorations at the same time have their own assertions of XCTest`() async {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let orders = explore(trials: 5) {
              await Task.yield()
              if number.isMultiple(of: 2) { XCTFail("in exploration \(number)") }
            }
            #expect((orders.failure != nil) == number.isMultiple(of: 2), "\(orders)")
            let reason = orders.failure?.reason ?? "in exploration \(number)"
            #expect(reason.contains("in exploration \(number)"), "\(orders)")
          }
        }
      }
    }
  }

  /// Runs explorations in a test case of XCTest.
  ///
  /// The exploration must catch the assertions. Otherwise each trial would fail the test case.
  final class ExplorationTestCase: XCTestCase {
    private let caught = Mutex<(isCatching: Bool, texts: [String])>((false, []))

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      let isCaught = caught.withLock { caught in
        if caught.isCatching { caught.texts.append(description) }
        return caught.isCatching
      }
      if isCaught { return }
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    func testAFailedAssertionFailsTheTrialAndNotTheTest() async {
      do {
        try await exploreInterleavings { await twoCallers() }
        XCTFail("The lost update was not found")
      } catch {
        XCTAssertTrue("\(error)".contains("XCTAssertEqual failed"), "\(error)")
        XCTAssertTrue("\(error)".contains("Repeat it with"), "\(error)")
      }
    }

    func testAnAssertionAfterAnExplorationFailsTheTest() async throws {
      try await exploreInterleavings(trials: 2) { XCTAssertTrue(true) }
      caught.withLock { $0.isCatching = true }
      XCTFail("after the exploration")
      let texts = caught.withLock { caught in
        caught.isCatching = false
        return caught.texts
      }
      XCTAssertEqual(texts.count, 1)
    }

    func testAnAssertionOfAnotherThreadFailsTheTest() async throws {
      caught.withLock { $0.isCatching = true }
      try await exploreInterleavings(trials: 1) {
        // The test is about a thread that the exploration does not control.
        let thread = Thread { XCTFail("on another thread") }
        thread.start()
        while !thread.isFinished { usleep(1_000) }
      }
      let texts = caught.withLock { caught in
        caught.isCatching = false
        return caught.texts
      }
      XCTAssertEqual(texts, ["failed - on another thread"])
    }
  }
#endif
