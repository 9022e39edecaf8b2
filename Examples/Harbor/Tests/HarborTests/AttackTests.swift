import HarborAttacks
import TestSupport
import Testing

/// Attacks of the fuzzer's generator from fixed seeds; `make fuzz` tries many more.
@Suite(.timeLimit(.minutes(10))) struct `A generated attack` {
  @Test(arguments: 0..<20)
  func `is answered, and its records are shown on every page`(part: Int) async throws {
    let harbor = try await AttackedHarbor()
    for number in 0..<(runsWholeSizes ? 25 : 1) {
      let seed = UInt64(part * 25 + number)
      try await harbor.attack(Choices(seed: seed), number: number)
    }
  }
}
