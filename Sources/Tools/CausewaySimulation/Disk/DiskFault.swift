/// A fault of a simulated disk.
public enum DiskFault: Sendable, Hashable {
  /// No file can grow, and no file can be created.
  case full
  /// Nothing can be changed.
  case readOnly
  /// Half of the operations that change or synchronise a file fail.
  ///
  /// A failed write may have stored a part of its bytes.
  case failing
  /// Half of the synchronisations fail, and a failed synchronisation loses some changes.
  ///
  /// Programs still read the lost changes until the next power failure, but no later
  /// synchronisation stores them. Linux behaves like this.
  case failingSync
  /// Each operation of a database, a store or a cache is delayed by a time in the range.
  case slow(ClosedRange<Duration>)
}
