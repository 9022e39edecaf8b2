private import Foundation
private import Testing

/// Receives the failures that the kit finds.
///
/// The default, ``automatic``, reports to the running test of Swift Testing. It reports to XCTest
/// if the test target also depends on the product `CausewayTestingXCTest`.
public struct FailureReporter: Sendable {
  let report: @Sendable (_ message: String, _ location: TestLocation) -> Void
  /// Whether `report` has to be called in the task of the test, because it reads which test runs.
  let asksForTest: Bool

  /// Makes a reporter for another test framework, or to inspect the failures.
  ///
  /// - Parameter report: Called on the main actor with the message and the place of the assertion.
  public init(_ report: @escaping @Sendable (_ message: String, _ location: TestLocation) -> Void) {
    self.init(asksForTest: false, report)
  }

  private init(
    asksForTest: Bool,
    _ report: @escaping @Sendable (_ message: String, _ location: TestLocation) -> Void
  ) {
    self.asksForTest = asksForTest
    self.report = report
  }

  /// Reports to the test framework that runs the test.
  ///
  /// Stops the program where the failure would be lost: in a process with XCTest, outside of a test
  /// of Swift Testing, and without the product `CausewayTestingXCTest`.
  public static let automatic = FailureReporter(asksForTest: true) { message, location in
    // A failure that Swift Testing cannot attribute to a test still fails its run, and it is
    // ignored where XCTest runs; there XCTest must be told, which in turn is ignored here.
    if Test.current == nil {
      if let adapter = ExternalReporter.found {
        adapter.report(message, location)
      } else if ExternalReporter.isNeeded {
        fatalError(
          """
          \(location.fileID):\(location.line): \(message)
          XCTest cannot be told: add the product CausewayTestingXCTest to the dependencies of the \
          test target.
          """)
      }
    }
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column)))
  }
}

/// Forwards failures to a test framework that this module does not link.
///
/// The product `CausewayTestingXCTest` implements it for XCTest. The implementation is looked up by
/// its name when there is a failure to report, so a test target only needs the dependency.
public protocol ExternalFailureReporting: AnyObject {
  /// Reports a failure at the place of the assertion.
  static func report(_ message: String, _ location: TestLocation)
}

/// The reporter that the test target links, if there is one.
private enum ExternalReporter {
  static var found: (any ExternalFailureReporting.Type)? {
    NSClassFromString("CausewayTestingXCTest.XCTestFailureReporter")
      as? any ExternalFailureReporting.Type
  }

  /// Whether XCTest is in the process.
  static var isNeeded: Bool {
    NSClassFromString("XCTest.XCTestCase") != nil || NSClassFromString("XCTestCase") != nil
  }
}
