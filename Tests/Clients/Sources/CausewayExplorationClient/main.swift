import CausewayExploration

let orders = try await exploreInterleavings {
  async let first = 1
  async let second = 2
  if await first + second != 3 { throw CancellationError() }
}
print(orders)
