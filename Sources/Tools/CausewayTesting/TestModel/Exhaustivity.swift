/// The steps that a test must assert.
public enum Exhaustivity: Sendable {
  /// Every change of state, every received action and every running effect.
  case on
  /// Only the steps that the test chooses. With `report`, skipped steps are printed.
  case off(report: Bool)

  /// Only the steps that the test chooses.
  public static let off = Exhaustivity.off(report: false)

  var isOn: Bool {
    if case .on = self { true } else { false }
  }
}
