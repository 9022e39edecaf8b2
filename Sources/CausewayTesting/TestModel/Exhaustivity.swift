/// How much of what happens a test has to account for.
public enum Exhaustivity: Sendable {
  /// Every change of state, every received action and every running effect.
  case on
  /// Only what the test asserts; with `report`, what was passed over is printed.
  case off(report: Bool)

  /// Only what the test asserts.
  public static let off = Exhaustivity.off(report: false)

  var isOn: Bool {
    if case .on = self { true } else { false }
  }
}
