private import Foundation
private import Testing

/// Receives the failures that the kit finds.
///
/// The default, ``automatic``, reports to the running test of Swift Testing. It reports to XCTest
/// if the test target also depends on the product `CausewayTestingXCTest`.
public struct FailureReporter: Sendable {
  let report: @Sendable (_ message: String, _ location: TestLocation) -> Void
  /// Whether `report` must be called in the task of the test, because it reads the running test.
  let asksForTest: Bool

  /// Makes a reporter for another test framework, or to inspect the failures.
  ///
  /// - Parameter report: Called on the main actor with the message and the source location of the
  ///   assertion. Lines and columns count from 1.
  public init(
    _ report:
      @escaping @Sendable (
        _ message: String,
        _ location: (fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)
      ) -> Void
  ) {
    self.init(asksForTest: false) { message, location in
      report(message, (location.fileID, location.filePath, location.line, location.column))
    }
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
  /// Stops the program if the failure would be lost: in a process with XCTest, outside of a Swift
  /// Testing test, and without the product `CausewayTestingXCTest`.
  public static let automatic = FailureReporter(asksForTest: true) { message, location in
    // `Issue.record` fails a run of Swift Testing even outside of a test. A run of XCTest ignores
    // it, so the failure also goes to XCTest, which ignores failures outside of its own runs.
    if Test.current == nil {
      if let adapter = ExternalReporter.found {
        adapter.report(message, location)
      } else if ExternalReporter.isNeeded {
        fatalError(
          """
          \(location.fileID):\(location.line): \(message)
          The failure cannot be reported to XCTest. Add the product CausewayTestingXCTest to the \
          dependencies of the test target.
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

/// The reporter that the test target links; `nil` if there is none.
private enum ExternalReporter {
  static var found: (any ExternalFailureReporting.Type)? {
    NSClassFromString("CausewayTestingXCTest.XCTestFailureReporter")
      as? any ExternalFailureReporting.Type
  }

  /// Whether the process has loaded XCTest.
  static var isNeeded: Bool {
    NSClassFromString("XCTest.XCTestCase") != nil || NSClassFromString("XCTestCase") != nil
  }
}
