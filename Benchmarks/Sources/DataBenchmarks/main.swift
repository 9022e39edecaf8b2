import Foundation

// DataBenchmarks [FILTER] [--json FILE] [--no-floors]
var arguments = Array(CommandLine.arguments.dropFirst())

if let index = arguments.firstIndex(of: "--memory"),
  let scenario = CacheMemory(rawValue: arguments[index + 1])
{
  try await scenario.run()
  exit(0)
}

var json: URL?
if let index = arguments.firstIndex(of: "--json") {
  guard arguments.indices.contains(index + 1) else {
    print("--json needs a file to write to")
    exit(64)
  }
  json = URL(fileURLWithPath: arguments[index + 1])
  arguments.removeSubrange(index...index + 1)
}

let measuresFloors = !arguments.contains("--no-floors")
arguments.removeAll { $0 == "--no-floors" }

@MainActor
func run(filter: String?) async throws -> Bench {
  var bench = Bench()
  bench.filter = filter
  bench.measuresFloors = measuresFloors
  try await bench.measureCache()
  if filter == nil { try bench.measureCacheMemory() }
  try await bench.measureSQL()
  return bench
}

let bench = try await run(filter: arguments.first)
if let json { try Row.write(bench.rows, to: json) }
