import CausewaySimulation
import Testing

@Suite struct InsideCrashTests {
  /// The seeds that find each bug of a program with a disk.
  static let seeds: Range<UInt64> = 0..<300

  @Test(arguments: DiskProgram.allCases)
  func `a bug that needs a crash inside of a function is found`(program: DiskProgram) throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try program.simulate(Self.seeds, hasBug: true)
    }
    #expect(failure?.isDeterministic == true)
    if let failure { print("\(program): seed \(failure.seed): \(failure.reason)") }
  }

  @Test(arguments: DiskProgram.allCases)
  func `the program without the bug never fails`(program: DiskProgram) throws {
    let summary = try program.simulate(0..<100, hasBug: false)
    #expect(summary.crashes > 800)
  }
}
