private import Foundation
private import Testing

/// Where the failures of the kit go.
///
/// The default one, ``automatic``, reports to the running test: of Swift Testing, or of XCTest
/// where the test target also depends on the product `CausewayTestingXCTest`.
public struct FailureReporter: Sendable {
  let report: @Sendable (_ message: String, _ location: TestLocation) -> Void
  /// Whether it asks which test is running, and so must be called where that is known.
  let asksForTest: Bool

  /// Makes a reporter, for another test framework or to look at the failures.
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
  /// Stops the program where nobody would take notice: in a process with XCTest, outside of a
  /// test of Swift Testing, and without the product `CausewayTestingXCTest`.
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

/// Passes failures on to a test framework that this module does not link.
///
/// The product `CausewayTestingXCTest` has the implementation for XCTest; it is found by name
/// when there is a failure to report, so a test target needs only to depend on it.
public protocol ExternalFailureReporting: AnyObject {
  /// Reports a failure at the place of the assertion.
  static func report(_ message: String, _ location: TestLocation)
}

/// What is linked besides this module.
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
