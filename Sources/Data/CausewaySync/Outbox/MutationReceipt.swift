/// The server's confirmation of a mutation; it names the data that contains the mutation.
public enum MutationReceipt: Sendable, Hashable {
  /// Data of this version and of later versions contains the mutation.
  ///
  /// The entry stays in the outbox until a snapshot or changes of at least this version are stored.
  case covered(by: SyncVersion)
  /// The server has no versions.
  ///
  /// Each read that begins after the confirmation contains the mutation.
  case coveredByNextRead
  /// No synced data will contain the mutation, so the entry is removed at once.
  case final
}
