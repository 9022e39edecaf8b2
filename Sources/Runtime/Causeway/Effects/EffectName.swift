/// A value that names an effect.
///
/// It is a class because most effects have no name.
@usableFromInline
final class EffectName: Sendable {
  let value: any Hashable & Sendable
  /// The hash of the value, stored because the schedule looks up an effect several times.
  let hash: Int

  init(_ value: some Hashable & Sendable) {
    self.value = value
    // Equal values of different integer types have the same hash only as `AnyHashable`.
    hash = AnyHashable(value).hashValue
  }

  func isEqual(to other: EffectName) -> Bool {
    // Strings are common. `AnyHashable` would search for their conformances in each comparison.
    if let text = value as? String, let otherText = other.value as? String {
      return text == otherText
    }
    return AnyHashable(value) == AnyHashable(other.value)
  }
}
