import CausewayExploration

/// A trial that can be repeated: its seeds, its search, and the parts that were left out of its
/// world.
///
/// A failure prints the text of a case.
struct SimulationCase: Hashable, Sendable, LosslessStringConvertible {
  /// A part of a world that a trial can leave out.
  enum Part: Hashable, Sendable, Comparable {
    /// An action of a script, by the index of the script and the number of the action.
    case action(script: Int, number: Int)
    /// A fault, by its index.
    case fault(Int)
    /// A crash or a partition, by the index of the fault and its number.
    case event(fault: Int, number: Int)
  }

  /// The seed of the scripts and the faults.
  let seed: UInt64
  /// The seed of the order of steps.
  var schedule: UInt64
  /// The search by priorities; `nil` for a uniform search.
  let priorities: Priorities?
  var removed: Set<Part> = []
  /// The times at which the trial changes to other random numbers, in order.
  var forks: [Fork] = []

  /// A time after which a trial has the random numbers of another seed.
  struct Fork: Hashable, Sendable {
    /// The virtual time, in whole microseconds.
    let begin: Duration
    let seed: UInt64
  }

  /// The values that determine the priorities of a trial, together with the seed.
  struct Priorities: Hashable, Sendable {
    /// The number of ordered steps that the bug needs.
    let depth: Int
    /// The number of steps with a choice, measured in earlier trials.
    let length: Int
  }

  init(seed: UInt64, schedule: UInt64, priorities: Priorities? = nil) {
    self.seed = seed
    self.schedule = schedule
    self.priorities = priorities
  }

  /// Reads the text of a case.
  init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let seed = UInt64(parts[0]) else { return nil }
    let times = parts[1].split(separator: "@", omittingEmptySubsequences: false)
    let order = times[0].split(separator: "p", maxSplits: 1, omittingEmptySubsequences: false)
    guard let schedule = UInt64(order[0]) else { return nil }
    var priorities: Priorities?
    if order.count == 2 {
      let numbers = order[1].split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let depth = numbers[0], let length = numbers[1],
        (1...Self.deepest).contains(depth), length > 0
      else { return nil }
      priorities = Priorities(depth: depth, length: length)
    }
    self.init(seed: seed, schedule: schedule, priorities: priorities)
    for text in times.dropFirst() {
      guard let fork = Fork(text), fork.begin > forks.last?.begin ?? .zero else { return nil }
      forks.append(fork)
    }
    for text in (parts.count == 3 ? parts[2] : "").split(separator: ",") {
      let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
      guard bounds.count <= 2, var part = Part(bounds[0]),
        let last = bounds.count == 2 ? Int(bounds[1]) : part.number,
        last >= part.number, last - part.number < Self.longestRange
      else { return nil }
      removed.insert(part)
      while part.number < last {
        part.number += 1
        removed.insert(part)
      }
    }
  }

  /// The largest number of parts in a range.
  private static let longestRange = 1_000_000

  /// The largest depth of a search.
  static let deepest = 1_000

  /// The seed, the seed of the order, and the parts that are left out.
  ///
  /// A search by priorities adds its depth and length to the order: `17/17p3.1420`. If a trial
  /// repeats another trial only until a time, the text has this time in microseconds and the seed
  /// from then on: `17/17@240000000.5`. Parts with consecutive numbers are a range: `a0.3-7` are
  /// the actions 3 to 7 of the first script.
  var description: String {
    var ranges: [(first: Part, last: Part)] = []
    for part in removed.sorted() {
      var next = ranges.last?.last
      next?.number &+= 1
      if next == part { ranges[ranges.count - 1].last = part } else { ranges.append((part, part)) }
    }
    let parts = ranges.map { range in
      range.first == range.last ? range.first.text : "\(range.first.text)-\(range.last.number)"
    }
    let order = priorities.map { "p\($0.depth).\($0.length)" } ?? ""
    let times = forks.map { "@\($0.begin.microseconds).\($0.seed)" }.joined()
    let text = "\(seed)/\(schedule)\(order)\(times)"
    return parts.isEmpty ? text : "\(text)/\(parts.joined(separator: ","))"
  }
}

extension SimulationCase.Fork {
  init?(_ text: Substring) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, let begin = Int64(numbers[0]), let seed = UInt64(numbers[1]) else {
      return nil
    }
    self.init(begin: .microseconds(begin), seed: seed)
  }
}

extension SimulationCase {
  /// Whether each hop of a task to or from an actor is a step.
  ///
  /// In one of four trials, a call of a free actor is a place to switch. An example is a call of a
  /// double that answers at once. Such a trial is longer.
  var hopsAreSteps: Bool { seed % 4 == 3 }

  /// The last fork that has begun at a time.
  func fork(at now: Duration) -> Fork? { forks.last { $0.begin <= now } }

  /// The seed of a number that is drawn only once, at a time.
  func seed(at now: Duration) -> UInt64 { fork(at: now)?.seed ?? seed }
}

extension ArraySlice<SimulationCase.Fork> {
  /// Removes the forks that have begun at a time, and returns the last of them.
  mutating func take(until now: Duration) -> SimulationCase.Fork? {
    let begun = prefix { $0.begin <= now }
    removeFirst(begun.count)
    return begun.last
  }
}

extension SimulationCase.Part {
  init?(_ text: Substring) {
    let numbers = text.dropFirst().split(separator: ".").map { Int($0) }
    switch (text.first, numbers.count) {
    case ("a", 2):
      guard let script = numbers[0], let number = numbers[1] else { return nil }
      self = .action(script: script, number: number)
    case ("f", 1):
      guard let fault = numbers[0] else { return nil }
      self = .fault(fault)
    case ("e", 2):
      guard let fault = numbers[0], let number = numbers[1] else { return nil }
      self = .event(fault: fault, number: number)
    default: return nil
    }
  }

  /// The number of the part among the parts of its script or fault.
  var number: Int {
    get {
      switch self {
      case .action(_, let number), .fault(let number), .event(_, let number): number
      }
    }
    set {
      switch self {
      case .action(let script, _): self = .action(script: script, number: newValue)
      case .fault: self = .fault(newValue)
      case .event(let fault, _): self = .event(fault: fault, number: newValue)
      }
    }
  }

  var text: String {
    switch self {
    case .action(let script, let number): "a\(script).\(number)"
    case .fault(let fault): "f\(fault)"
    case .event(let fault, let number): "e\(fault).\(number)"
    }
  }
}
