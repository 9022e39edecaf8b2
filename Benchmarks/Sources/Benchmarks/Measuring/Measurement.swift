import CAllocations

/// The cost of one operation.
struct Measurement: Codable {
  /// The median of the repetitions.
  var nanoseconds: Double
  /// The average of the repetitions, because a minimum would hide growth.
  var allocations: Double
}

/// One line of the table: the work and its floor in the same run.
struct Row: Codable {
  let name: String
  let work: Measurement
  let floor: Measurement?
  let target: String

  var ratio: Double? {
    floor.map { work.nanoseconds / $0.nanoseconds }
  }
}

/// Measures work and its floor alternately, under the same conditions.
@MainActor
struct Bench {
  var repetitions = 9
  var filter: String?
  /// Whether floors are measured.
  ///
  /// Without floors, a profile shows only the work.
  var measuresFloors = true
  /// The divisor of the number of operations; with a divisor above 1, there is only one round.
  var scale = 1
  private(set) var rows: [Row] = []
  /// The names of the lines that allocate although they must not.
  ///
  /// Unlike times, allocations are the same on every machine.
  private(set) var allocating: [String] = []

  /// Measures synchronous work; `work` and `floor` do the given number of operations.
  ///
  /// - Parameter mayAllocate: Whether the program fails when the work allocates.
  mutating func measure(
    _ name: String,
    target: String,
    operations: Int,
    mayAllocate: Bool = true,
    floor: (@MainActor (Int) -> Void)? = nil,
    work: @MainActor (Int) -> Void
  ) {
    if let filter, !name.contains(filter) { return }
    let operations = max(1, operations / scale)
    var works: [Measurement] = []
    var floors: [Measurement] = []
    // The first round warms up caches and metadata and does not count.
    for round in 0...repetitions {
      let floorSample = measuresFloors ? floor.map { sample(operations, $0) } : nil
      let workSample = sample(operations, work)
      if round == 0 { continue }
      works.append(workSample)
      if let floorSample { floors.append(floorSample) }
    }
    add(name, target, works, floors)
    // Less than one allocation in a thousand operations does not come from the work itself.
    if !mayAllocate, let row = rows.last, row.work.allocations > 0.001 { allocating.append(name) }
  }

  /// Measures asynchronous work; `work` and `floor` do the given number of operations.
  mutating func measure(
    _ name: String,
    target: String,
    operations: Int,
    floor: (@MainActor (Int) async -> Void)? = nil,
    work: @MainActor (Int) async -> Void
  ) async {
    if let filter, !name.contains(filter) { return }
    let operations = max(1, operations / scale)
    var works: [Measurement] = []
    var floors: [Measurement] = []
    for round in 0...repetitions {
      var floorSample: Measurement?
      if let floor, measuresFloors { floorSample = await sample(operations, floor) }
      let workSample = await sample(operations, work)
      if round == 0 { continue }
      works.append(workSample)
      if let floorSample { floors.append(floorSample) }
    }
    add(name, target, works, floors)
  }

  /// Adds a line that was measured in another way.
  mutating func add(_ row: Row) {
    rows.append(row)
    print(row.text)
  }

  private mutating func add(
    _ name: String, _ target: String, _ works: [Measurement], _ floors: [Measurement]
  ) {
    add(
      Row(
        name: name, work: .median(works), floor: floors.isEmpty ? nil : .median(floors),
        target: target))
  }

  private func sample(_ operations: Int, _ body: @MainActor (Int) -> Void) -> Measurement {
    let allocations = causeway_allocation_count()
    let duration = ContinuousClock().measure { body(operations) }
    return Measurement(duration, causeway_allocation_count() - allocations, operations)
  }

  private func sample(
    _ operations: Int, _ body: @MainActor (Int) async -> Void
  ) async -> Measurement {
    let allocations = causeway_allocation_count()
    let start = ContinuousClock.now
    await body(operations)
    let duration = ContinuousClock.now - start
    return Measurement(duration, causeway_allocation_count() - allocations, operations)
  }
}

extension Measurement {
  init(_ duration: Duration, _ allocations: Int, _ operations: Int) {
    nanoseconds = duration / .nanoseconds(1) / Double(operations)
    self.allocations = Double(allocations) / Double(operations)
  }

  static func median(_ samples: [Measurement]) -> Measurement {
    let times = samples.map(\.nanoseconds).sorted()
    return Measurement(
      nanoseconds: times[times.count / 2],
      allocations: samples.map(\.allocations).reduce(0, +) / Double(samples.count))
  }
}
