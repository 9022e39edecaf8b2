public import CausewayTesting
private import XCTest

/// Reports the failures of CausewayTesting to XCTest.
///
/// Nothing needs to be called: a test target that depends on this product has its failures
/// reported, at the line of the assertion.
public final class XCTestFailureReporter: ExternalFailureReporting {
  /// Records a failure of the running test case.
  public static func report(_ message: String, _ location: TestLocation) {
    XCTFail(message, file: location.filePath, line: location.line)
  }
}
