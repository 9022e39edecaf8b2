/// Effects in the order of their requests, with removal in constant time.
///
/// A removed effect leaves a gap. Filling the gap with the last effect would access that effect
/// too. In a long list, most effects are not in the processor's cache.
@MainActor
struct EffectList {
  /// The effect at position 0 of a list that never had two effects at once; such a list has no
  /// array.
  private var only: Effect?
  private var slots: [Effect?] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// The effects in order.
  ///
  /// Complexity: O(*n*).
  var all: [Effect] {
    if let only { return [only] }
    return slots.compactMap { $0 }
  }

  /// Adds an effect.
  ///
  /// Complexity: O(1) amortised.
  ///
  /// - Parameter place: Stores the position of an effect, which ``remove(at:)`` needs. It is also
  ///   called for earlier effects whose positions have changed.
  mutating func append(_ effect: Effect, place: (Effect, Int) -> Void) {
    count += 1
    if count == 1, slots.capacity == 0 {
      only = effect
      return place(effect, 0)
    }
    if let first = only.take() { slots.append(first) }
    if slots.count == slots.capacity, slots.count >= 2 * (count - 1) {
      slots.removeAll { $0 == nil }
      for case (let position, let effect?) in slots.enumerated() { place(effect, position) }
    }
    place(effect, slots.count)
    slots.append(effect)
  }

  /// Complexity: O(1) amortised.
  mutating func remove(at position: Int) {
    count -= 1
    if only != nil {
      only = nil
      return
    }
    slots[position] = nil
    // Keeps only a small amount of memory for later effects.
    if count == 0 { slots.removeAll(keepingCapacity: slots.count <= 16) }
  }
}
