/// The engine of a scope, as its outbox sees it.
///
/// The outbox may call it on any thread. It must not block.
protocol OutboxObserver: Sendable {
  /// Whether the engine reads the scope soon after an acknowledgement.
  ///
  /// That read also stores the receipt.
  var expectsRead: Bool { get }

  /// An entry of the scope has changed.
  func changed(_ change: OutboxChange)

  /// The outbox or another engine has reached the server again.
  func reached()
}
