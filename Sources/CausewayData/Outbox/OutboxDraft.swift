public import Foundation

/// A mutation that is to be put into an outbox.
public struct OutboxDraft: Sendable {
  /// What makes it the same mutation; handing in the same key twice stores it once.
  public var key: IdempotencyKey
  /// What it belongs to, by which its sender is found.
  public var collection: String
  /// Entries of one scope are sent one after the other, in their order.
  public var scope: SyncScope
  /// The kind of mutation, to be shown in a list of entries.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// The record that it changes, by which a synced table finds what to show.
  package var entity: SQLValue

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - key: A new one, unless the caller has its own.
  ///   - collection: The name under which a sender is registered.
  ///   - scope: What keeps its order.
  ///   - kind: The kind of mutation.
  ///   - payload: The encoded mutation.
  public init(
    key: IdempotencyKey = IdempotencyKey(), collection: String, scope: SyncScope = .all,
    kind: String, payload: Data
  ) {
    self.init(
      key: key, collection: collection, scope: scope, kind: kind, payload: payload, entity: .null)
  }

  package init(
    key: IdempotencyKey, collection: String, scope: SyncScope, kind: String, payload: Data,
    entity: SQLValue
  ) {
    self.key = key
    self.collection = collection
    self.scope = scope
    self.kind = kind
    self.payload = payload
    self.entity = entity
  }
}
