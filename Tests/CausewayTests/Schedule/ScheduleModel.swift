@testable import Causeway

/// A second implementation of an effect schedule: one list of effects per key with their phases.
///
/// Every decision is derived by scanning the list.
struct ScheduleModel {
  enum Doing { case runs, queues, isHeld }

  struct Entry {
    let ticket: Int
    var doing: Doing
  }

  typealias Command = EffectSchedule<Int>.Command

  private(set) var entries: [EffectKey: [Entry]] = [:]
  /// Whether the last policy that queues was `.limited`.
  private var isLimited: [EffectKey: Bool] = [:]
  private(set) var windows: [EffectKey: Duration] = [:]

  var isEmpty: Bool { windows.isEmpty && entries.values.allSatisfy(\.isEmpty) }

  func tickets(_ key: EffectKey, _ doing: Doing) -> [Int] {
    (entries[key] ?? []).filter { $0.doing == doing }.map(\.ticket)
  }

  /// The commands, with the cancellations in the order of the tickets.
  mutating func handle(_ event: EffectSchedule<Int>.Event) -> [Command] {
    switch event {
    case .request(let ticket, let key, let policy):
      return request(ticket, key, policy)
    case .ended(let ticket, let key):
      let ran = tickets(key, .runs).contains(ticket)
      entries[key]?.removeAll { $0.ticket == ticket }
      guard ran, tickets(key, .runs).isEmpty || isLimited[key] == true,
        let next = tickets(key, .queues).first
      else {
        return []
      }
      return start(next, key)
    case .cancel(let key):
      return cancelAll(key)
    case .windowEnded(let key):
      guard let interval = windows.removeValue(forKey: key) else { return [] }
      guard let held = tickets(key, .isHeld).first else { return [] }
      windows[key] = interval
      return start(held, key) + [.openWindow(key, interval)]
    }
  }

  private mutating func request(
    _ ticket: Int, _ key: EffectKey, _ policy: EffectPolicy
  ) -> [Command] {
    let isIdle = (entries[key] ?? []).isEmpty
    let runs = !tickets(key, .runs).isEmpty
    switch policy {
    case .parallel:
      return start(ticket, key)
    case .latest:
      return cancelAll(key) + start(ticket, key)
    case .debounce(let delay):
      return cancelAll(key) + start(ticket, key, after: delay)
    case .first:
      return isIdle ? start(ticket, key) : [.cancel(ticket)]
    case .serial:
      isLimited[key] = false
      if !runs { return start(ticket, key) }
      entries[key, default: []].append(Entry(ticket: ticket, doing: .queues))
      return []
    case .limited(let limit):
      isLimited[key] = true
      if tickets(key, .runs).count < limit { return start(ticket, key) }
      entries[key, default: []].append(Entry(ticket: ticket, doing: .queues))
      return []
    case .throttle(let interval, let latest):
      if windows[key] == nil {
        windows[key] = interval
        return start(ticket, key) + [.openWindow(key, interval)]
      }
      if !latest { return [.cancel(ticket)] }
      let replaced = tickets(key, .isHeld)
      entries[key]?.removeAll { $0.doing == .isHeld }
      entries[key, default: []].append(Entry(ticket: ticket, doing: .isHeld))
      return replaced.map(Command.cancel)
    }
  }

  private mutating func start(
    _ ticket: Int, _ key: EffectKey, after delay: Duration? = nil
  ) -> [Command] {
    entries[key]?.removeAll { $0.ticket == ticket }
    entries[key, default: []].append(Entry(ticket: ticket, doing: .runs))
    return [.start(ticket, after: delay)]
  }

  private mutating func cancelAll(_ key: EffectKey) -> [Command] {
    let all = (entries[key] ?? []).map(\.ticket).sorted()
    entries[key] = []
    return all.map(Command.cancel)
  }
}
