import Testing

@testable import CausewayExploration

struct ReportedFaultTests {
  @Test(arguments: ReportedFault.all)
  func `a reported fault is found`(_ fault: ReportedFault) throws {
    let begin = ContinuousClock.now
    let orders = explore(fault.body(false))
    let time = ContinuousClock.now - begin
    let failure = try #require(orders.failure, "\(orders)")
    #expect("\(failure)".contains(fault.reason), "\(failure)")
    #expect(failure.isRepeatable, "\(failure)")
    #expect(orders.trials <= 3_000, "\(orders.trials) trials")
    print("\(fault.name): trial \(orders.trials), in \(time)")
  }

  @Test(arguments: ReportedFault.all)
  func `the mended version of a reported fault passes`(_ fault: ReportedFault) {
    let orders = explore(trials: 1_000, fault.body(true))
    #expect(orders.failure == nil, "\(orders)")
  }
}
