import CausewayData

/// Where the items are kept.
protocol PantryRepository: Sendable {
  /// The items, and again after each change.
  func items() -> LiveQuery<Synced<Item>>
  func add(_ item: Item) async throws
  func mark(_ id: String, isMissing: Bool) async throws
}
