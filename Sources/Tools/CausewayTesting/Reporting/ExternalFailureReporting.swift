private import Foundation
private import Testing

/// Forwards failures to a test framework that this module does not link.
///
/// The product `CausewayTestingXCTest` implements it for XCTest. The implementation is found by its
/// name when there is a failure to report. A test target therefore needs only the dependency.
package protocol ExternalFailureReporting: AnyObject {
  /// Reports a failure at the source location of the assertion.
  static func report(_ message: String, _ location: TestLocation)
}
