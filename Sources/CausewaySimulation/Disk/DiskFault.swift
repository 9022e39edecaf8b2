/// A fault of a simulated disk.
public enum DiskFault: Sendable, Hashable {
  /// No file can grow, and no file can be created.
  case full
  /// Nothing can be changed.
  case readOnly
  /// Half of the operations fail that change or synchronise a file.
  ///
  /// A failed write may have stored a part of its bytes.
  case failing
  /// Each operation of a database, a store or a cache waits for a time in the range.
  case slow(ClosedRange<Duration>)
}
