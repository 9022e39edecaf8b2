import CausewayTestingXCTest

print(XCTestFailureReporter.self)
