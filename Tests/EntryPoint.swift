import CausewayTestingXCTestTests
import Testing
import XCTest

/// Starts the tests of one library.
///
/// SwiftPM would find the tests of XCTest in an index of all sources, which nothing else reads and
/// which the compiler writes for a tenth of its time. All other suites use Swift Testing, which finds
/// its tests itself.
@main struct Tests {
  static func main() async {
    let arguments = CommandLine.arguments
    if let library = arguments.firstIndex(of: "--testing-library"),
      arguments.dropFirst(library + 1).first == "swift-testing"
    {
      await Testing.__swiftPMEntryPoint() as Never
    }
    XCTMain([testCase(XCTestReportingTests.allTests)])
  }
}
