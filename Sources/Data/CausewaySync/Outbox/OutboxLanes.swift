/// The entries that wait to be sent, by scope, and the scopes that may send their first entry.
///
/// A part of ``OutboxMachine``. A change examines only its own scope, so the cost does not depend
/// on the number of scopes. A scope that cannot send is examined again after the change that it
/// waits for.
struct OutboxLanes: Sendable {
  typealias Item = OutboxMachine.Item

  /// The first entry of a scope, and the first entry of the scope's other collections.
  struct First {
    var item: Item
    var others: Int64
  }

  /// Requests that share a limit for the number of requests in progress.
  enum RequestClass: CaseIterable {
    /// The outbox's timeout limits the request.
    case timed
    /// Only the sender limits the request.
    case untimed
  }

  private struct Place: Hashable {
    var collection: String
    var scope: SyncScope
  }

  /// The lanes by scope; a lane is the entries of one collection in one scope.
  ///
  /// Therefore, the entries of a collection without a sender cost no time.
  private var scopes: [SyncScope: [String: ArraySlice<Item>]] = [:]
  private var places: [Int64: Place] = [:]
  /// The collections with a sender, and the largest number of entries in one of their requests.
  private var batchLimits: [String: Int] = [:]
  /// The collections whose requests have no time limit.
  private var untimed: Set<String> = []
  private var busy: Set<SyncScope> = []
  private var held: Set<Int64> = []
  /// Scopes that could send when they were last examined, by their first entry.
  ///
  /// A scope is checked again when it is removed from the list, because it may have changed.
  private var ready: [RequestClass: Heap<Int64>] = [:]
  /// Scopes whose first entry waits for a time.
  private var delayed = Heap<Duration>()
  /// For each required entry, the scopes whose first entry requires it.
  private var dependents: [Int64: [SyncScope]] = [:]

  /// The number of entries.
  var count: Int { places.count }

  func contains(_ sequence: Int64) -> Bool { places[sequence] != nil }

  func first(of collection: String, _ scope: SyncScope) -> Item? {
    scopes[scope]?[collection]?.first
  }

  /// Removes everything except the senders.
  mutating func removeAll() {
    let (limits, untimed) = (batchLimits, untimed)
    self = OutboxLanes()
    (batchLimits, self.untimed) = (limits, untimed)
  }

  /// Records the sender of a collection.
  ///
  /// - Complexity: O(scopes) for a new collection.
  mutating func register(_ collection: String, batchLimit: Int, limitsTime: Bool) {
    if limitsTime { untimed.remove(collection) } else { untimed.insert(collection) }
    guard batchLimits.updateValue(batchLimit, forKey: collection) == nil else { return }
    for (scope, lanes) in scopes where lanes[collection] != nil { examine(scope) }
  }

  func batchLimit(for collection: String) -> Int { batchLimits[collection] ?? 1 }

  func requestClass(of collection: String) -> RequestClass {
    untimed.contains(collection) ? .untimed : .timed
  }

  mutating func append(_ item: Item) {
    places[item.sequence] = Place(collection: item.collection, scope: item.scope)
    let isFirst = scopes[item.scope]?[item.collection] == nil
    scopes[item.scope, default: [:]][item.collection, default: []].append(item)
    if isFirst { examine(item.scope) }
  }

  /// Removes entries; the entries that require them may then be sent.
  ///
  /// - Complexity: O(1) on average for the first entries of a lane, else O(entries of the lane).
  mutating func remove(_ sequences: [Int64]) {
    var counts: [Place: Int] = [:]
    for sequence in sequences {
      held.remove(sequence)
      if let place = places.removeValue(forKey: sequence) { counts[place, default: 0] += 1 }
    }
    for (place, count) in counts {
      remove(count, from: place)
      examine(place.scope)
    }
    for sequence in sequences {
      for scope in dependents.removeValue(forKey: sequence) ?? [] { examine(scope) }
    }
  }

  /// Removes the entries of a lane that are no longer in `places`.
  private mutating func remove(_ count: Int, from place: Place) {
    // The lane must have only one reference. Otherwise its array would be copied.
    guard var lane = scopes[place.scope]?.removeValue(forKey: place.collection) else { return }
    var left = count
    while left > 0, let first = lane.first, places[first.sequence] == nil {
      lane.removeFirst()
      left -= 1
    }
    if left > 0 { lane.removeAll { places[$0.sequence] == nil } }
    if !lane.isEmpty {
      scopes[place.scope]?[place.collection] = lane
    } else if scopes[place.scope]?.isEmpty == true {
      scopes[place.scope] = nil
    }
  }

  /// Changes the first entry of a lane, if it is still the given one.
  mutating func updateFirst(_ item: Item, _ change: (inout Item) -> Void) {
    guard let index = scopes[item.scope]?[item.collection]?.startIndex,
      scopes[item.scope]?[item.collection]?[index].sequence == item.sequence
    else { return }
    if var first = scopes[item.scope]?[item.collection]?[index] {
      change(&first)
      scopes[item.scope]?[item.collection]?[index] = first
    }
    examine(item.scope)
  }

  mutating func begin(_ scope: SyncScope) {
    busy.insert(scope)
  }

  mutating func end(_ scope: SyncScope) {
    busy.remove(scope)
    examine(scope)
  }

  mutating func hold(_ sequence: Int64) {
    held.insert(sequence)
  }

  mutating func release(_ sequence: Int64) {
    held.remove(sequence)
    if let place = places[sequence] { examine(place.scope) }
  }

  /// Ends the waits of the first entries of all lanes, except for entries that are being sent.
  ///
  /// - Parameter ofLostOnly: Whether to end only the waits of entries that could not reach the
  ///   server.
  /// - Complexity: O(lanes).
  mutating func endWaits(
    _ now: Duration, ofLostOnly: Bool, except isSending: (Int64) -> Bool
  ) {
    for lanes in scopes.values {
      for item in lanes.values.compactMap(\.first)
      where item.due > now && (item.isLost || !ofLostOnly) && !isSending(item.sequence) {
        updateFirst(item) { $0.due = now }
      }
    }
  }

  /// Removes and returns the scope with the oldest first entry that may be sent now.
  ///
  /// The caller then begins to send the entry.
  ///
  /// - Parameter classes: The classes of requests that may begin.
  mutating func next(_ now: Duration, _ classes: Set<RequestClass>) -> First? {
    while let (due, scope) = delayed.first, due <= now {
      delayed.removeFirst()
      examine(scope, now)
    }
    while let (sequence, scope) = takeReady(classes) {
      guard let first = sendable(scope), first.item.sequence == sequence else { continue }
      if first.item.due <= now { return first }
      delayed.insert(first.item.due, scope)
    }
    return nil
  }

  /// Removes and returns the scope with the oldest first entry.
  private mutating func takeReady(_ classes: Set<RequestClass>) -> (Int64, SyncScope)? {
    let oldest = classes.compactMap { candidate in
      ready[candidate]?.first.map { (candidate, first: $0) }
    }.min { $0.first.0 < $1.first.0 }
    guard let oldest else { return nil }
    ready[oldest.0]?.removeFirst()
    return oldest.first
  }

  /// The end of the shortest wait.
  mutating func wake() -> Duration? {
    while let (due, scope) = delayed.first {
      if sendable(scope)?.item.due == due { return due }
      delayed.removeFirst()
    }
    return nil
  }

  /// The entries that may be sent in one request with a first entry.
  func batch(from first: First, limit: Int, _ now: Duration) -> [Int64] {
    let lane = scopes[first.item.scope]?[first.item.collection] ?? []
    // An entry that requires another entry of the batch waits for that entry's answer.
    return lane.prefix(limit).prefix {
      $0.sequence < first.others && $0.due <= now && blocker(of: $0) == nil
        && !held.contains($0.sequence)
    }.map(\.sequence)
  }

  /// Adds a scope to `dependents`, `ready` or `delayed` after a change.
  private mutating func examine(_ scope: SyncScope, _ now: Duration = .zero) {
    guard !busy.contains(scope), let item = first(of: scope)?.item, !held.contains(item.sequence)
    else { return }
    if let blocker = blocker(of: item) {
      dependents[blocker, default: []].append(scope)
    } else if item.due <= now {
      let candidate = requestClass(of: item.collection)
      ready[candidate, default: Heap()].insert(item.sequence, scope)
    } else {
      delayed.insert(item.due, scope)
    }
  }

  /// The first entry of a scope, if it can be sent now or after its wait.
  private func sendable(_ scope: SyncScope) -> First? {
    guard !busy.contains(scope), let first = first(of: scope), !held.contains(first.item.sequence),
      blocker(of: first.item) == nil
    else { return nil }
    return first
  }

  /// A waiting entry that the server must have before the given one.
  private func blocker(of item: Item) -> Int64? {
    item.requires.first(where: contains)
  }

  /// The first entry of a scope among the collections with a sender.
  private func first(of scope: SyncScope) -> First? {
    var first: First?
    for (collection, lane) in scopes[scope] ?? [:] where batchLimits[collection] != nil {
      guard let item = lane.first else { continue }
      guard let known = first else {
        first = First(item: item, others: .max)
        continue
      }
      first =
        known.item.sequence < item.sequence
        ? First(item: known.item, others: min(known.others, item.sequence))
        : First(item: item, others: known.item.sequence)
    }
    return first
  }
}

/// Scopes in the order of a key.
private struct Heap<Key: Comparable & Sendable>: Sendable {
  private var elements: [(key: Key, scope: SyncScope)] = []

  var first: (Key, SyncScope)? { elements.first.map { ($0.key, $0.scope) } }

  /// - Complexity: O(log elements).
  mutating func insert(_ key: Key, _ scope: SyncScope) {
    elements.append((key, scope))
    var child = elements.count - 1
    while child > 0, elements[child].key < elements[(child - 1) / 2].key {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// - Complexity: O(log elements).
  mutating func removeFirst() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child].key < elements[least].key {
        least = child
      }
      guard least != parent else { return }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}
