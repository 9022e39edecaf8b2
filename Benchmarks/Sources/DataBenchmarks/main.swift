import Foundation

let options = Options()
if let scenario = options.memory.flatMap(CacheMemory.init) {
  try await scenario.run()
  exit(0)
}

@MainActor
func measure(_ options: Options) async throws {
  var bench = Bench(options)
  try await bench.measureCache()
  try await bench.measureDisk()
  if options.filter == nil { try bench.measureCacheMemory() }
  try await bench.measureSQL()
  try await bench.measureSync()
  try bench.writeRows(options)
}

try await measure(options)
