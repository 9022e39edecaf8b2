/// Opens a gate when it goes away: for tests of what is freed.
public final class Witness: Sendable {
  private let isFreed: Gate

  /// Makes a witness that opens the gate.
  public init(_ isFreed: Gate) {
    self.isFreed = isFreed
  }

  deinit {
    isFreed.open()
  }
}
