public import CausewayTesting
private import XCTest

/// Reports the failures of CausewayTesting to XCTest.
///
/// No call is needed. A test target that depends on this product reports its failures at the lines
/// of the assertions.
public final class XCTestFailureReporter: ExternalFailureReporting {
  /// Records a failure of the running test case.
  public static func report(_ message: String, _ location: TestLocation) {
    XCTFail(message, file: location.filePath, line: location.line)
  }
}
