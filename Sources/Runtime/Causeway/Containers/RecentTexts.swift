import CausewaySystem

/// The most recently used texts, by number.
///
/// The limit keeps a long run from filling the memory.
struct RecentTexts {
  private static let limit = 512

  private var texts: [Int: (text: String, lastUse: Int)] = [:]
  private var uses = 0

  /// Complexity: O(1) amortised.
  mutating func remember(_ text: String, as number: Int) {
    uses += 1
    texts[number] = (text, uses)
    guard texts.count > Self.limit else { return }
    let uses = texts.values.map(\.lastUse).sorted()
    let oldestKept = uses[Self.limit / 2]
    texts = texts.filter { $0.value.lastUse >= oldestKept }
  }

  /// Complexity: O(1).
  mutating func recall(_ number: Int) -> String? {
    guard let text = texts[number]?.text else { return nil }
    uses += 1
    texts[number]?.lastUse = uses
    return text
  }
}
