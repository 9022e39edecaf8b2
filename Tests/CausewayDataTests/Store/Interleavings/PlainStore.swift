import CausewayData
import Synchronization

@testable import CausewayStores

/// The interface of a store under test.
///
/// A faulty store can replace the real one.
@MainActor
protocol KeptLeaves: AnyObject {
  subscript(key: Int) -> Leaf? { get set }
  var unsavedCount: Int { get }
  var isLoaded: Bool { get }
  nonisolated var participant: SessionParticipant { get }
  func set(_ value: Leaf?, for key: Int, as ticket: SessionTicket) throws(SessionError)
  func removeAll()
  func flush() async throws
  func close() async throws
  func reload() async throws
}

extension ObservableStore: KeptLeaves where Key == Int, Value == Leaf {}

/// A typical simple store that saves on request, correct or with one fault.
@MainActor
final class PlainStore: KeptLeaves {
  enum Mistake: String, CaseIterable, Sendable {
    /// A load replaces values that were set while it ran.
    case takesWhateverIsLoaded
    /// A load also adds values that were removed while it ran.
    case bringsBackWhatWasRemoved
    /// A finished save marks changes made during it as saved.
    case forgetsChangesDuringSaves
    /// A failed save marks its changes as saved.
    case forgetsWhatCouldNotBeSaved
    /// A save does not wait for the previous one.
    case savesBesideEachOther
    /// A flush relies on the running save, which started before the last changes.
    case joinsTheSaveThatRuns
    /// A close returns at once and saves afterwards.
    case closesWithoutWaiting
    /// The end of a session empties the store, but the store still accepts changes.
    case letsChangesInAfterTheEnd
    /// The end of a session empties only the memory.
    case leavesTheBackingAsItIs
  }

  private let backing: SteppedBacking
  private let mistake: Mistake?
  private let onRefusal: @MainActor () -> Void
  private nonisolated let gate = Mutex(SessionGate())
  private var values: [Int: Leaf] = [:]
  private var dirty: Set<Int> = []
  private var keysBeingSaved: Set<Int> = []
  private var saving: Task<Void, any Error>?
  /// The keys changed since the load started.
  private var changed: Set<Int> = []
  private var loading: Task<Void, Never>?
  private var load = 0
  private var closing: Task<Void, any Error>?
  private var isClosed = false
  private(set) var isLoaded = false

  init(
    _ backing: SteppedBacking, _ mistake: Mistake?, onRefusal: @escaping @MainActor () -> Void
  ) {
    self.backing = backing
    self.mistake = mistake
    self.onRefusal = onRefusal
    startLoading()
  }

  subscript(key: Int) -> Leaf? {
    get { values[key] }
    set {
      if isClosed || (gate.withLock(\.isShut) && mistake != .letsChangesInAfterTheEnd) {
        return onRefusal()
      }
      change(newValue, for: key)
    }
  }

  var unsavedCount: Int { dirty.union(keysBeingSaved).count }

  func set(_ value: Leaf?, for key: Int, as ticket: SessionTicket) throws(SessionError) {
    try ticket.check()
    self[key] = value
  }

  func removeAll() {
    if isClosed { return onRefusal() }
    for key in StoreWorld.keys { change(nil, for: key) }
  }

  private func change(_ value: Leaf?, for key: Int) {
    values[key] = value
    dirty.insert(key)
    changed.insert(key)
  }

  func flush() async throws {
    while let saving {
      if mistake == .joinsTheSaveThatRuns { return try await saving.value }
      if mistake == .savesBesideEachOther { break }
      _ = try? await saving.value
    }
    if dirty.isEmpty { return }
    let keys = dirty
    var changes = StoreChanges<Int, Leaf>()
    for key in keys {
      if let value = values[key] {
        changes.updated[key] = value
      } else {
        changes.removed.insert(key)
      }
    }
    keysBeingSaved = keys
    if mistake != .forgetsChangesDuringSaves { dirty = [] }
    let task = Task { [changes] in
      defer { (saving, keysBeingSaved) = (nil, []) }
      do {
        try await withTaskExecutorPreference(backing.steps) { try await backing.save(changes) }
        if mistake == .forgetsChangesDuringSaves { dirty = [] }
      } catch {
        if mistake != .forgetsWhatCouldNotBeSaved { dirty.formUnion(keys) }
        throw error
      }
    }
    saving = task
    try await task.value
  }

  func close() async throws {
    if let closing { return try await closing.value }
    isClosed = true
    let task = Task {
      try await withTaskExecutorPreference(backing.steps) {
        defer { closing = nil }
        do { try await flush() } catch {
          isClosed = false
          throw error
        }
      }
    }
    closing = task
    if mistake != .closesWithoutWaiting { try await task.value }
  }

  func reload() async {
    if !isClosed { startLoading() }
    await loading?.value
  }

  private func startLoading() {
    load += 1
    changed = dirty.union(keysBeingSaved)
    loading = Task { [load] in
      while true {
        do {
          let found = try await withTaskExecutorPreference(backing.steps) {
            try await backing.load()
          }
          if load == self.load { takeIn(found) }
          return
        } catch {}
      }
    }
  }

  private func takeIn(_ found: [Int: Leaf]) {
    isLoaded = true
    switch mistake {
    case .takesWhateverIsLoaded: values = found
    case .bringsBackWhatWasRemoved: values.merge(found) { mine, _ in mine }
    default: for key in StoreWorld.keys where !changed.contains(key) { values[key] = found[key] }
    }
  }

  nonisolated var participant: SessionParticipant {
    SessionParticipant(
      "plain store", began: { ticket in self.gate.withLock { $0.began(ticket) } },
      ended: { ticket in self.gate.withLock { _ = $0.ended(ticket) } },
      wipe: { _ in try await self.wipe() })
  }

  private func wipe() async throws {
    gate.withLock { $0.shut() }
    for key in StoreWorld.keys { change(nil, for: key) }
    if mistake == .leavesTheBackingAsItIs {
      dirty = []
    } else {
      try await flush()
    }
  }
}
