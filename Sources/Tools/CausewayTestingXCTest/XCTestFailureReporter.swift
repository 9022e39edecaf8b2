package import CausewayTesting
private import XCTest

/// Reports the failures of CausewayTesting to XCTest.
///
/// A test target only needs to depend on this product. XCTest then shows each failure at the line
/// of its assertion.
package final class XCTestFailureReporter: ExternalFailureReporting {
  /// Records a failure of the running test case.
  package static func report(_ message: String, _ location: TestLocation) {
    XCTFail(message, file: location.filePath, line: location.line)
  }
}
