import CausewayData
import TestSupport
import Testing

@testable import CausewaySync

/// Drives the machine with random events and checks its invariants after each.
struct OutboxMachineModelTests {
  private static let table = RetryTable(
    backoff: Backoff(initial: .seconds(1), cap: .seconds(60)), rules: [.rejected: .reject])

  /// The history of a run, recorded outside the machine.
  private struct Model {
    var machine: OutboxMachine
    var now = Duration.zero
    var wake: Duration?
    var scopes: [Int64: SyncScope] = [:]
    var sending: Set<Int64> = []
    /// Receipts that are being stored.
    var saving: [Int64] = []
    var saved: Set<Int64> = []
    var left: [SyncScope: [Int64]] = [:]
    var done: Set<Int64> = []
    var sends = 0
  }

  @Test(arguments: 0..<scaled(300))
  func `each entry is done once, and the entries of a scope are done one by one and in order`(
    seed: Int
  ) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let parallel = Int.random(in: 1...4, using: &random)
    let scopes = (0..<Int.random(in: 1...6, using: &random)).map { SyncScope("\($0)") }
    let total = Int64.random(in: 1...60, using: &random)
    var model = Model(machine: OutboxMachine(table: Self.table, parallelScopes: parallel))
    try perform(model.machine.handle(.registered("note"), now: .zero), &model)
    var stored: Int64 = 0
    var steps = 0
    while model.saved.count < Int(total) {
      steps += 1
      try #require(steps < 20_000, "The machine does not come to an end.")
      if stored < total, Bool.random(using: &random) {
        let count = Int64.random(in: 1...min(5, total - stored), using: &random)
        let items = (1...count).compactMap { offset -> OutboxMachine.Item? in
          let scope = scopes[Int.random(in: 0..<scopes.count, using: &random)]
          model.scopes[stored + offset] = scope
          model.left[scope, default: []].append(stored + offset)
          return .init(sequence: stored + offset, collection: "note", scope: scope)
        }
        stored += count
        try perform(model.machine.handle(.loaded(items), now: model.now), &model)
      } else if let sequence = model.sending.sorted().randomElement(using: &random) {
        try answer(sequence, &model, &random)
      } else if !model.saving.isEmpty {
        try save(&model, &random)
      } else if let wake = model.wake {
        // No other event is possible, so the machine must have requested a wake-up.
        model.now = max(model.now, wake)
        model.wake = nil
        try perform(model.machine.handle(.woken, now: model.now), &model)
      } else {
        try #require(stored < total, "Entries are left, and nothing is under way.")
      }
      #expect(model.sending.count <= parallel)
    }
    #expect(model.machine.count == 0)
    #expect(model.sends >= Int(total))
  }

  private func answer(
    _ sequence: Int64, _ model: inout Model, _ random: inout SeededRandom
  ) throws {
    let chance = Double.random(in: 0..<1, using: &random)
    let answer: OutboxMachine.Answer =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .failure(RemoteFailure(.unreachable), random: chance)
      case 1: .failure(RemoteFailure(.rejected), random: chance)
      case 2: .receipt(isReadSoon: true)
      default: .receipt(isReadSoon: false)
      }
    model.sending.remove(sequence)
    if case .receipt = answer { try finish(sequence, &model) }
    let decision = model.machine.handle(.answered(sequence, answer), now: model.now)
    try perform(decision, &model)
    guard let change = decision.change else { return }
    let isStored = Int.random(in: 0..<8, using: &random) > 0
    if isStored, case .rejected = change {
      try finish(sequence, &model)
      model.saved.insert(sequence)
    }
    let event: OutboxMachine.Event = isStored ? .stored(sequence) : .notStored(sequence, random: 0)
    try perform(model.machine.handle(event, now: model.now), &model)
    if Int.random(in: 0..<8, using: &random) == 0, model.saving.isEmpty {
      // A read stores the waiting receipts.
      model.saving = model.machine.claimReceipts()
    }
  }

  private func finish(_ sequence: Int64, _ model: inout Model) throws {
    let scope = try #require(model.scopes[sequence])
    #expect(model.left[scope]?.first == sequence, "out of order")
    model.left[scope]?.removeFirst()
    #expect(model.done.insert(sequence).inserted, "done twice")
  }

  private func save(_ model: inout Model, _ random: inout SeededRandom) throws {
    let sequences = model.saving
    model.saving = []
    let event: OutboxMachine.Event
    switch Int.random(in: 0..<4, using: &random) {
    case 0: event = .notSaved(sequences, random: 0)
    case 1: event = .unclaimed(sequences)
    default:
      for sequence in sequences {
        #expect(model.done.contains(sequence), "stored before it was acknowledged")
        #expect(model.saved.insert(sequence).inserted, "stored twice")
      }
      event = .saved(sequences)
    }
    try perform(model.machine.handle(event, now: model.now), &model)
  }

  private func perform(_ decision: OutboxMachine.Decision, _ model: inout Model) throws {
    for sequence in decision.sends.flatMap(\.self) {
      let scope = try #require(model.scopes[sequence])
      #expect(!model.done.contains(sequence), "sent after it was done")
      #expect(!model.sending.contains { model.scopes[$0] == scope }, "two of a scope at once")
      #expect(model.left[scope]?.first == sequence, "not the first of its scope")
      model.sending.insert(sequence)
      model.sends += 1
    }
    if !decision.saves.isEmpty {
      #expect(model.saving.isEmpty, "two transactions for receipts at once")
      model.saving = decision.saves
    }
    model.wake = decision.wake
  }
}
