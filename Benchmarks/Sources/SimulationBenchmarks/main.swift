import CausewaySQLite
import CausewaySimulation
import Foundation

// Measures how many whole worlds can be simulated in a minute. Then compares two rates: the power
// failures of a simulated database, and the kills of a process with the same database.

/// Returns the result of work and its time in seconds.
func timed<Result>(_ work: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
  let start = ContinuousClock.now
  let result = try work()
  return (result, (ContinuousClock.now - start) / .seconds(1))
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "writer" {
  let database = try await Rows.open {
    try await SQLiteService(path: CommandLine.arguments[2], migrations: $0)
  }
  while true {
    try await Rows.add(to: database)
    FileHandle.standardOutput.write(Data("committed\n".utf8))
  }
}

let worlds: UInt64 = 20
let cpuStart = clock()
let (summary, worldSeconds) = try timed { try simulateWishes(0..<worlds) }
// Other programs change the elapsed time, but hardly the processor time.
let cpuSeconds = Double(clock() - cpuStart) / 1_000_000
print(
  """
  three clients × 200 actions on SQLite: \(Int(Double(worlds) * 60 / worldSeconds)) seeds a minute \
  in \(worldSeconds) s; \(Int(Double(worlds) * 60 / cpuSeconds)) a minute of processor time; \
  \(cpuSeconds * 1_000_000 / Double(summary.steps)) µs a step, \(summary.steps) steps, \
  \(summary.crashes) crashes
  """)
let (crashes, crashSeconds) = try timed { try simulateCrashes(0..<5).crashes }
let simulated = Double(crashes) / crashSeconds
print("simulated power failures: \(Int(simulated)) a second (\(crashes))")

let folder = FileManager.default.temporaryDirectory.appending(path: "kills-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let kills = 100
let (_, killSeconds) = try timed {
  for _ in 0..<kills {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["writer", folder.appending(path: "rows.db").path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // The process is killed after its first commit.
    _ = output.fileHandleForReading.availableData
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
try FileManager.default.removeItem(at: folder)
let killed = Double(kills) / killSeconds
print(
  "killed processes: \(Int(killed)) a second; simulated \(Int(simulated / killed)) times as many")
