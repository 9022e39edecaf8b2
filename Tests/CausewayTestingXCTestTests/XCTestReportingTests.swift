import Causeway
import CausewayTesting
import XCTest

/// The test kit in a test case of XCTest, which reports failures at the line of the assertion.
final class XCTestReportingTests: XCTestCase {
  private struct Counter: Interactor {
    var body: some Interactor<Int, Int> {
      Interact(initialValue: 0) { state, number in
        state += number
        return .state
      }
    }
  }

  /// The issues that were recorded while ``isCatching``, and that do not fail the test.
  private var caught: [(text: String, line: Int)] = []
  private var isCatching = false

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isCatching {
      caught.append((description, lineNumber))
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  @MainActor
  func testAnAssertionThatHoldsPasses() async {
    let model = TestModel(Counter())
    await model.send(2) { $0 = 2 }
    await model.finish()
  }

  @MainActor
  func testAnAssertionThatFailsIsRecordedAtItsLine() async {
    let model = TestModel(Counter())
    isCatching = true
    let line = #line + 1
    await model.send(2) { $0 = 3 }
    isCatching = false
    XCTAssertEqual(caught.map(\.line), [line])
    XCTAssertTrue(caught.first?.text.contains("expected: 3") ?? false)
    await model.finish()
  }

  @MainActor
  func testAForgottenFinishIsRecordedAtTheLineWhereTheModelWasMade() async {
    isCatching = true
    let line = #line + 2
    do {
      let model = TestModel(
        Interact(initialValue: 0) { (state: inout Int, number: Int) in
          state += number
          return number > 0 ? .action(number - 1) : .state
        })
      await model.send(1) { $0 = 1 }
    }
    isCatching = false
    XCTAssertEqual(caught.map(\.line), [line])
    XCTAssertTrue(caught.first?.text.contains("before finish() was called") ?? false)
  }
}
