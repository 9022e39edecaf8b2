import CAllocations
import Causeway
import Foundation

/// The scenario of a child process, whose peak memory is measured alone.
enum MemoryScenario: String, CaseIterable {
  case nothing, tasks, effects, sleepingTasks, sleepingEffects

  @MainActor
  func run() async {
    switch self {
    case .nothing: break
    case .tasks: await Tally().startTasks(100_000)
    case .sleepingTasks:
      let tasks = (0..<100_000).map { _ in
        Task { @concurrent in try? await Task.sleep(for: .seconds(3_600)) }
      }
      // Waits until all tasks sleep, because a sleep allocates memory too.
      try? await Task.sleep(for: .seconds(3))
      withExtendedLifetime(tasks) {}
    case .sleepingEffects:
      let model = ViewModel(Worker())
      for _ in 0..<100_000 { model.send(.wait) }
      try? await Task.sleep(for: .seconds(3))
      withExtendedLifetime(model) {}
    case .effects:
      let model = ViewModel(Worker())
      await model.send(.start(100_000)).finish()
      // A view model that is released earlier would cancel all effects.
      withExtendedLifetime(model) {}
    }
    print(causeway_peak_resident_bytes())
  }

  /// The peak resident size of a process that runs this scenario, in bytes.
  func peak() throws -> Double {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--memory", rawValue]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
  }
}

extension Bench {
  func measureMemory() throws {
    let nothing = try MemoryScenario.nothing.peak()
    let tasks = try MemoryScenario.tasks.peak()
    let effects = try MemoryScenario.effects.peak()
    let megabytes = { (bytes: Double) in String(format: "%.1f MB", bytes / 1_000_000) }
    print(
      "peak memory of 100,000 effects: \(megabytes(effects)), floor \(megabytes(tasks)), "
        + "an empty process \(megabytes(nothing)), ratio "
        + String(format: "%.2f", effects / tasks) + "  [<= 1.2 x floor]")
    let sleepingTasks = try MemoryScenario.sleepingTasks.peak()
    let sleepingEffects = try MemoryScenario.sleepingEffects.peak()
    print(
      "peak memory of 100,000 sleeping effects: \(megabytes(sleepingEffects)), "
        + "floor \(megabytes(sleepingTasks)), ratio "
        + String(format: "%.2f", sleepingEffects / sleepingTasks) + "  [<= 1.5 x floor]")

    let count = 10_000
    var models: [ViewModel<Form.State, Form.Action>] = []
    models.reserveCapacity(count)
    let before = causeway_allocated_bytes()
    let interactor = Form()
    for _ in 0..<count { models.append(ViewModel(interactor)) }
    let after = causeway_allocated_bytes()
    withExtendedLifetime(models) {
      // The thousand integers belong to the state, not to the view model.
      let state = MemoryLayout<Form.State>.size + 32 + 8 * 1_000
      print(
        "memory of one idle view model: \((after - before) / count - state) bytes plus its state  [<= 1 kB]"
      )
    }
  }
}
