/// The server's confirmation of a mutation; it says when synced data shows the mutation.
public enum MutationReceipt: Sendable, Hashable {
  /// The data shows the mutation from this version on.
  ///
  /// The entry stays in the outbox until a snapshot or changes of at least this version are stored.
  case covered(by: SyncVersion)
  /// The server counts no versions: each read that begins after the confirmation shows the
  /// mutation.
  case coveredByNextRead
  /// No synced data will show the mutation; the entry is removed.
  case final
}
