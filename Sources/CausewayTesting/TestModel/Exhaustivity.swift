/// How much a test has to assert.
public enum Exhaustivity: Sendable {
  /// Every change of state, every received action and every running effect.
  case on
  /// Only what it chooses to; with `report`, skipped steps are printed.
  case off(report: Bool)

  /// Only what it chooses to.
  public static let off = Exhaustivity.off(report: false)

  var isOn: Bool {
    if case .on = self { true } else { false }
  }
}
