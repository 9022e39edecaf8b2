/// A cell for a comparable value that is computed, or that belongs to a removable part.
@usableFromInline
final class ComputedCell<Value: Equatable>: ObservationCell {
  /// Returns `nil` if the part does not exist.
  ///
  /// A missing part counts as a change, so cells of removed rows do not stay armed.
  private let read: @MainActor () -> Value?
  private var value: Value?

  @usableFromInline
  init(_ read: @escaping @MainActor () -> Value?) {
    self.read = read
    super.init(nil)
  }

  override func remember() { value = read() }
  override func isDifferent() -> Bool {
    // A direct comparison of optionals would look up tuple metadata each time.
    guard let new = read() else { return value != nil }
    guard let value else { return true }
    return !Sameness.areSame(value, new)
  }
  override func forget() { value = nil }
}
