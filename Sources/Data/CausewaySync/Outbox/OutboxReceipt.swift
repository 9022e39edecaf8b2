import CausewayDatabase

/// The server's receipt for an entry.
struct OutboxReceipt: Sendable {
  let entry: OutboxEntry
  let route: OutboxRoute
  let receipt: MutationReceipt
}

/// Receipts that are not stored yet.
///
/// The receipts of a scope are found without a search through the receipts of other scopes.
struct UnstoredReceipts: Sendable {
  private struct Place: Hashable {
    let collection: String
    let scope: SyncScope

    init(_ entry: OutboxEntry) { (collection, scope) = (entry.collection, entry.scope) }

    init(_ collection: String, _ scope: SyncScope) {
      (self.collection, self.scope) = (collection, scope)
    }
  }

  private var receipts: [Int64: OutboxReceipt] = [:]
  private var places: [Place: Set<Int64>] = [:]

  var isEmpty: Bool { receipts.isEmpty }

  /// The receipts of the given entries; entries without a receipt are left out.
  subscript(sequences: [Int64]) -> [OutboxReceipt] { sequences.compactMap { receipts[$0] } }

  func sequences(of collection: String, _ scope: SyncScope) -> Set<Int64> {
    places[Place(collection, scope)] ?? []
  }

  mutating func add(_ receipt: OutboxReceipt) {
    receipts[receipt.entry.sequence] = receipt
    places[Place(receipt.entry), default: []].insert(receipt.entry.sequence)
  }

  mutating func remove(_ stored: [OutboxReceipt]) {
    for receipt in stored {
      let (sequence, place) = (receipt.entry.sequence, Place(receipt.entry))
      receipts[sequence] = nil
      places[place]?.remove(sequence)
      if places[place]?.isEmpty == true { places[place] = nil }
    }
  }
}

extension WriteTransaction {
  /// Stores receipts, removes entries that need no read, and returns which entries it removed.
  ///
  /// A second call with the same receipts changes nothing. The shown row of each record is computed
  /// only once, even if several of its mutations are removed.
  func store(_ receipts: [OutboxReceipt]) throws(PersistenceError) -> [Bool] {
    var removed: [String: (route: OutboxRoute, entries: [OutboxEntry])] = [:]
    var areCovered: [Bool] = []
    for receipt in receipts {
      let (entry, route) = (receipt.entry, receipt.route)
      var version: SyncVersion?
      let isCovered: Bool
      switch receipt.receipt {
      case .final: isCovered = true
      case .coveredByNextRead: isCovered = false
      case .covered(by: let covering):
        version = covering
        isCovered = try route.rows?.isCovered(entry, by: covering, in: self) ?? false
      }
      areCovered.append(isCovered)
      if isCovered {
        try removeEntry(entry.sequence)
        removed[entry.collection, default: (route, [])].entries.append(entry)
      } else {
        try acknowledgeEntry(entry.sequence, version: version)
      }
    }
    for (route, entries) in removed.values { try route.rows?.show(entries, self) }
    return areCovered
  }
}
