import Foundation

// DataBenchmarks [FILTER] [--no-floors]
var arguments = Array(CommandLine.arguments.dropFirst())

if let index = arguments.firstIndex(of: "--memory"),
  let scenario = CacheMemory(rawValue: arguments[index + 1])
{
  try await scenario.run()
  exit(0)
}

let measuresFloors = !arguments.contains("--no-floors")
arguments.removeAll { $0 == "--no-floors" }

@MainActor
func run(filter: String?) async throws {
  var bench = Bench()
  bench.filter = filter
  bench.measuresFloors = measuresFloors
  try await bench.measureCache()
  if filter == nil { try bench.measureCacheMemory() }
}

try await run(filter: arguments.first)
