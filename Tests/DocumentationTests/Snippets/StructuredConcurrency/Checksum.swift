// snippet
/// Computes for long, so it leaves its caller's actor.
@concurrent func checksum(of bytes: [UInt8]) async throws -> UInt32 {
  var sum: UInt32 = 0
  for (index, byte) in bytes.enumerated() {
    if index.isMultiple(of: 65_536) { try Task.checkCancellation() }
    sum = sum &* 31 &+ UInt32(byte)
  }
  return sum
}

@MainActor final class ChartCheck {
  private(set) var sum: UInt32?

  func check(_ bytes: [UInt8]) async throws {
    sum = try await checksum(of: bytes)  // back on the main actor
  }
}
// end
