/// The server's word that it has a mutation, and when its data shows it.
public enum MutationReceipt: Sendable, Hashable {
  /// The data shows the mutation from this version on.
  ///
  /// The entry stays in the outbox until a snapshot or changes of at least this version are stored.
  case covered(by: SyncVersion)
  /// The server counts no versions: whatever is asked for from now on shows the mutation.
  case coveredByNextRead
  /// Nothing that is synced will show the mutation; the entry has done its duty.
  case final
}
