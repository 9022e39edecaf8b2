import CausewayData
import CausewayTesting
import TestSupport

@testable import CausewayStores

/// The objects of one trial, and the faults found in it.
@MainActor
final class StoreWorld {
  nonisolated static let keys = 1...4

  let clock: ManualClock
  private let refusals: Log<Void>
  let session = SessionService(account: "ada")
  let backing: SteppedBacking
  let store: any KeptLeaves
  private(set) var problems: [String] = []
  /// The flushes, closes and session changes that have not returned.
  private(set) var underWay = 0

  /// The history of each key, oldest value first.
  private var history: [Int: [Leaf?]]
  /// The position in the history that the backing has.
  private var stored: [Int: Int] = [:]
  private var number = 0
  private var closing = 0
  private var isClosed = false
  private var lastSession: Int
  private var sessionChanges = 0
  private var hasSessionChanged = false

  /// - Parameter make: Creates a store that replaces the real one.
  init(
    _ make: ((SteppedBacking, @escaping @MainActor () -> Void) -> any KeptLeaves)? = nil
  ) {
    let (clock, refusals, epoch) = (ManualClock(), Log<Void>(), session.current?.epoch ?? 0)
    let values = [1: Leaf(session: epoch, number: -1), 2: Leaf(session: epoch, number: -2)]
    let backing = SteppedBacking(values)
    (self.clock, self.refusals, self.backing, lastSession) = (clock, refusals, backing, epoch)
    history = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, [values[$0]]) })
    store =
      make?(backing) { refusals.append(()) }
      ?? ObservableStore<Int, Leaf>(
        backing: backing, policy: .plain, executor: backing.steps,
        surroundings: Surroundings(clock: clock),
        report: {
          switch $0 {
          case .closed, .sessionEnded: refusals.append(())
          default: break
          }
        })
    backing.onSave = { [weak self] in self?.noteSave() }
    backing.onStore = { [weak self] in self?.noteStored($0, $1) }
    session.add(store.participant)
  }

  // MARK: Operations

  func perform(_ action: StoreScript.Action) async {
    look("before \(action)")
    switch action {
    case .set(let key): change(key, to: makeLeaf())
    case .remove(let key): change(key, to: nil)
    case .removeAll:
      accept {
        store.removeAll()
      } keys: {
        Array(Self.keys)
      } leaf: {
        nil
      }
    case .setWithTicket(let key): await setWithTicket(key)
    case .flush: await flush()
    case .close: await close()
    case .reload: try? await store.reload()
    case .wait: clock.advance(by: .seconds(10))
    case .failLoad: backing.failingLoads += 1
    case .failSave(let fault): backing.faults.append(fault)
    case .logOut: await changeSession { try await $0.logout() }
    case .signIn(let account):
      if session.current?.account == account { return }
      await changeSession { try await $0.signIn(account) }
    }
    look("after \(action)")
  }

  private func makeLeaf() -> Leaf {
    number += 1
    lastSession = session.current?.epoch ?? lastSession
    return Leaf(session: lastSession, number: number)
  }

  private func change(_ key: Int, to leaf: Leaf?) {
    accept {
      store[key] = leaf
    } keys: {
      [key]
    } leaf: {
      leaf
    }
  }

  /// Adds a change to the history, unless the store rejects it for a good reason.
  ///
  /// - Parameter ticket: The session that the change belongs to; `nil` for the current session.
  private func accept(
    as ticket: SessionTicket? = nil, _ change: () -> Void, keys: () -> [Int], leaf: () -> Leaf?
  ) {
    let before = refusals.all.count
    // Another session may have begun since the change was started.
    let isOutdated = ticket.map { !$0.isCurrent } ?? false
    change()
    if refusals.all.count != before {
      let mayBeRefused = closing > 0 || isClosed || session.current == nil || isOutdated
      if !mayBeRefused { problems.append("A change was refused for no reason") }
      return
    }
    if isClosed { problems.append("A change was accepted after closing") }
    if isOutdated { problems.append("A change of an ended session was accepted") }
    for key in keys() { history[key]?.append(leaf()) }
  }

  /// An operation that may start in one session and end in another.
  private func setWithTicket(_ key: Int) async {
    guard let ticket = session.current else { return }
    var leaf = makeLeaf()
    leaf.session = ticket.epoch
    await suspensionPoint()
    accept(as: ticket) {
      do { try store.set(leaf, for: key, as: ticket) } catch { refusals.append(()) }
    } keys: {
      [key]
    } leaf: {
      leaf
    }
  }

  private func flush() async {
    let marks = history.mapValues { $0.count - 1 }
    underWay += 1
    defer { underWay -= 1 }
    // A failed operation guarantees nothing.
    do { try await store.flush() } catch { return }
    for (key, mark) in marks {
      let isThere = (history[key]?.lastIndex { $0 == backing.values[key] }).map { $0 >= mark }
      let leaf = history[key]?[mark]
      let isOver = leaf.map { $0.session != session.current?.epoch } ?? false
      if isThere == true || (isOver && backing.values[key] == nil) { continue }
      problems.append("\(key) was flushed, and the backing has \(text(backing.values[key]))")
    }
  }

  private func close() async {
    underWay += 1
    closing += 1
    defer {
      underWay -= 1
      closing -= 1
    }
    do { try await store.close() } catch { return }
    isClosed = true
    compareBacking("after closing")
  }

  private func changeSession(
    _ change: @MainActor (SessionService) async throws -> Void
  ) async {
    let ended = session.current?.epoch ?? lastSession
    lastSession = max(lastSession, ended)
    hasSessionChanged = true
    underWay += 1
    sessionChanges += 1
    defer {
      underWay -= 1
      sessionChanges -= 1
    }
    do { try await change(session) } catch { return }
    lastSession = max(lastSession, session.current?.epoch ?? 0)
    for key in Self.keys {
      for leaf in [store[key], backing.values[key]] {
        guard let leaf, leaf.session <= ended else { continue }
        problems.append("\(key) has \(text(leaf)) after its session")
      }
    }
  }

  // MARK: Observations

  /// The final value of a key.
  ///
  /// An untouched key may be `nil` before it is loaded.
  private func expected(_ key: Int) -> Leaf? {
    guard let last = history[key]?.last ?? nil else { return nil }
    return hasSessionChanged && last.session != session.current?.epoch ? nil : last
  }

  /// Compares the shown values.
  private func look(_ moment: String) {
    for key in Self.keys {
      let (shown, expected) = (store[key], expected(key))
      let isUntouched = history[key]?.count == 1
      if shown == expected || (isUntouched && shown == nil) { continue }
      // The data of a session exists until the session has ended completely.
      if sessionChanges > 0, shown == history[key]?.last ?? nil { continue }
      problems.append(
        "\(moment): \(key) shows \(text(shown)) instead of \(text(expected))")
    }
  }

  private func noteSave() {
    if isClosed, sessionChanges == 0 { problems.append("A save began after closing") }
  }

  private func noteStored(_ key: Int, _ leaf: Leaf?) {
    if isClosed, sessionChanges == 0 { problems.append("\(key) was stored after closing") }
    guard let past = history[key] else { return }
    let last = stored[key, default: 0]
    if let place = past[last...].firstIndex(of: leaf) {
      stored[key] = place
    } else if leaf != nil || !hasSessionChanged {
      problems.append("\(key) went back to \(text(leaf))")
    }
  }

  private func compareBacking(_ moment: String) {
    if sessionChanges > 0 { return }
    for key in Self.keys where backing.values[key] != expected(key) {
      problems.append(
        "\(moment): the backing has \(text(backing.values[key])) for \(key) "
          + "instead of \(text(expected(key)))")
    }
  }

  /// Called when no operation runs.
  ///
  /// - Parameter isSettled: Whether enough time has passed for every operation.
  func finish(isSettled: Bool) {
    look("at the end")
    if isSettled {
      if underWay > 0 { problems.append("\(underWay) calls do not return") }
      if store.unsavedCount > 0, backing.faults.isEmpty, !isClosed {
        problems.append("\(store.unsavedCount) changes are never saved")
      }
    }
    // Unsaved changes wait for their deadline.
    if store.unsavedCount == 0, store.isLoaded || isClosed { compareBacking("at the end") }
    // A trial may end before its steps have started.
    backing.steps.end()
  }

  private func text(_ leaf: Leaf?) -> String {
    leaf.map { "\($0.number) of session \($0.session)" } ?? "nothing"
  }
}
