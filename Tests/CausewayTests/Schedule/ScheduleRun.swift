import Testing

@testable import Causeway

/// Runs a script on the schedule and the model, and compares them after each event.
struct ScheduleRun {
  typealias Schedule = EffectSchedule<Int>

  enum Fate: Equatable { case requested, started, cancelled, ended }

  var schedule = Schedule()
  var model = ScheduleModel()
  var trace: [String] = []
  /// The phase of each ticket, by its number.
  var fates: [Fate] = []
  var keys: [EffectKey] = []
  var policies: [EffectPolicy] = []
  var openWindows: Set<EffectKey> = []
  private var serialStarts: [EffectKey: [Int]] = [:]

  /// The first difference found.
  private(set) var problem: String?

  static let policies: [EffectPolicy] = [
    .parallel, .latest, .first, .serial, .limited(to: 2), .debounce(for: .seconds(1)),
    .throttle(for: .seconds(1), latest: true), .throttle(for: .seconds(1), latest: false),
  ]

  static func key(_ name: Int) -> EffectKey {
    EffectKey(scope: ObjectIdentifier(ScheduleRun.self), id: EffectID(name))
  }

  mutating func request(_ key: EffectKey, _ policy: EffectPolicy) {
    let ticket = fates.count
    fates.append(.requested)
    keys.append(key)
    policies.append(policy)
    handle(.request(ticket, key, policy))
  }

  mutating func end(_ ticket: Int) {
    fates[ticket] = .ended
    handle(.ended(ticket, keys[ticket]))
  }

  /// The tickets that were requested and have not ended.
  var alive: [Int] {
    fates.indices.filter { fates[$0] == .requested || fates[$0] == .started }
  }

  mutating func handle(_ event: Schedule.Event) {
    guard problem == nil else { return }
    trace.append("\(event)")
    if case .windowEnded(let key) = event { openWindows.remove(key) }
    let commands = schedule.handle(event)
    let expected = model.handle(event)
    // Cancellations may come in any order, but their order relative to starts is fixed.
    if Self.normalized(commands) != expected {
      return fail("answered \(commands), expected \(expected)")
    }
    for command in commands {
      carryOut(command)
    }
    checkInvariants()
  }

  private mutating func carryOut(_ command: Schedule.Command) {
    switch command {
    case .start(let ticket, _):
      if fates[ticket] != .requested { fail("ticket \(ticket) starts, but is \(fates[ticket])") }
      fates[ticket] = .started
      if policies[ticket] == .serial {
        if let last = serialStarts[keys[ticket]]?.last, last > ticket {
          fail("serial \(ticket) starts after \(last)")
        }
        serialStarts[keys[ticket], default: []].append(ticket)
      }
    case .cancel(let ticket):
      if fates[ticket] == .cancelled || fates[ticket] == .ended {
        fail("ticket \(ticket) is cancelled, but is \(fates[ticket])")
      }
      fates[ticket] = .cancelled
    case .openWindow(let key, _):
      if !openWindows.insert(key).inserted { fail("a second window for \(key)") }
    }
  }

  private mutating func checkInvariants() {
    for key in Set(keys) {
      let tickets = fates.indices.filter { keys[$0] == key }
      let alive = tickets.filter { fates[$0] == .requested || fates[$0] == .started }
      let running = Set(tickets.filter { fates[$0] == .started })
      if running != Set(model.tickets(key, .runs)) { fail("\(running) run") }
      // A queued effect needs a running effect, and a delayed effect needs a window.
      if !model.tickets(key, .queues).isEmpty, running.isEmpty { fail("a queue, but nothing runs") }
      if !model.tickets(key, .isHeld).isEmpty, !openWindows.contains(key) {
        fail("a held effect without a window")
      }
      let kinds = Set(tickets.map { policies[$0] })
      if kinds.isSubset(of: [.latest, .first, .serial, .debounce(for: .seconds(1))]),
        running.count > 1
      {
        fail("\(running) run at the same time")
      }
      if kinds == [.latest] || kinds == [.first], alive.count > 1 { fail("\(alive) are alive") }
    }
    if schedule.isEmpty != model.isEmpty { fail("isEmpty is \(schedule.isEmpty)") }
  }

  /// Ends all remaining effects, oldest first, and closes the windows.
  mutating func windDown() {
    var rounds = 0
    while problem == nil, !alive.isEmpty || !openWindows.isEmpty {
      if let key = openWindows.first { handle(.windowEnded(key)) }
      if let ticket = fates.firstIndex(of: .started) { end(ticket) }
      rounds += 1
      if rounds > 10 * (fates.count + 2) { return fail("\(alive) never end") }
    }
    if !schedule.isEmpty { fail("not empty at the end") }
  }

  private mutating func fail(_ message: String) {
    if problem == nil { problem = "\(message)\n" + trace.joined(separator: "\n") }
  }

  static func normalized(_ commands: [Schedule.Command]) -> [Schedule.Command] {
    let cancels = commands.prefix {
      if case .cancel = $0 { true } else { false }
    }
    let sorted = cancels.sorted { left, right in
      let (left, right) = ("\(left)", "\(right)")
      return left.count == right.count ? left < right : left.count < right.count
    }
    return sorted + commands.dropFirst(cancels.count)
  }
}
