package import CausewayDatabase
public import CausewayNetwork
public import Foundation

/// A mutation to store in an outbox.
public struct OutboxDraft: Sendable {
  /// The identity of the mutation; the outbox stores a key only once.
  public var key: IdempotencyKey
  /// The collection, by which the outbox finds the sender.
  public var collection: String
  /// Entries of one scope are sent one after the other, in their order.
  public var scope: SyncScope
  /// The kind of mutation, to be shown in a list of entries.
  public var kind: String
  /// The encoded mutation.
  public var payload: Data
  /// The mutations that the server must have before this one.
  ///
  /// Required mutations that are waiting when this mutation is stored are sent first, even if they
  /// belong to another scope.
  public var dependencies: [MutationDependency]
  /// The identifier of the changed record.
  ///
  /// A synced table uses it to find the row to show.
  package var entity: SQLValue

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - key: The identity of the mutation. Default: a new key.
  ///   - collection: The name under which a sender is registered.
  ///   - scope: The scope whose entries are sent in order.
  ///   - kind: The kind of mutation.
  ///   - payload: The encoded mutation.
  ///   - dependencies: The mutations that the server must have before this one.
  public init(
    key: IdempotencyKey = IdempotencyKey(), collection: String, scope: SyncScope = .all,
    kind: String, payload: Data, dependencies: [MutationDependency] = []
  ) {
    self.init(
      key: key, collection: collection, scope: scope, kind: kind, payload: payload,
      dependencies: dependencies, entity: .null)
  }

  package init(
    key: IdempotencyKey, collection: String, scope: SyncScope, kind: String, payload: Data,
    dependencies: [MutationDependency] = [], entity: SQLValue
  ) {
    self.key = key
    self.collection = collection
    self.scope = scope
    self.kind = kind
    self.payload = payload
    self.dependencies = dependencies
    self.entity = entity
  }
}
