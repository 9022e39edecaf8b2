import CausewayTestingXCTest

// The product has no declarations: a test target only links it.
print("CausewayTestingXCTest")
