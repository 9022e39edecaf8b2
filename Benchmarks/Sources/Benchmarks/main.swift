import Foundation

let options = Options()
if let scenario = options.memory.flatMap(MemoryScenario.init) {
  await scenario.run()
  exit(0)
}

@MainActor
func measure(_ options: Options) async throws {
  var bench = Bench(options)
  bench.measureSends()
  try bench.measureInspector()
  bench.measureInterface()
  bench.measureReads()
  bench.measureBesidePlainClass()
  bench.measureObservation()
  await bench.measureEffects()
  await bench.measurePolicies()
  await bench.measureGrowth()
  if options.filter == nil { try bench.measureMemory() }
  try bench.writeRows(options)
  if !bench.allocating.isEmpty {
    print("These lines allocate, but must not: \(bench.allocating.joined(separator: ", ")).")
    exit(1)
  }
}

try await measure(options)
