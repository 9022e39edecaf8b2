import Foundation
import HarborDomain
import Synchronization

/// The words of activities, without differences of case, accents and width.
final class SearchWords: Sendable {
  private let known = Mutex<[Activity.ID: (activity: Activity, words: Set<String>)]>([:])

  /// Whether an activity contains all words; the last one may be the beginning of a word.
  ///
  /// Complexity: O(*n*) in the number of words of the activity.
  func matches(_ activity: Activity, _ pattern: [String]) -> Bool {
    guard let beginning = pattern.last else { return false }
    let words = words(of: activity)
    return pattern.dropLast().allSatisfy(words.contains)
      && words.contains { $0.hasPrefix(beginning) }
  }

  /// The runs of letters and numbers in a text, in the form for comparisons.
  static func words(of text: String) -> [String] {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    )
    .split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  private func words(of activity: Activity) -> Set<String> {
    if let entry = known.withLock({ $0[activity.id] }), entry.activity.isIdentical(to: activity) {
      return entry.words
    }
    let details = activity.details
    let texts =
      [details.title, details.place ?? "", details.notes ?? "", activity.host.text]
      + activity.participants.map(\.text)
    let words = Set(texts.flatMap(Self.words))
    known.withLock { $0[activity.id] = (activity, words) }
    return words
  }
}
