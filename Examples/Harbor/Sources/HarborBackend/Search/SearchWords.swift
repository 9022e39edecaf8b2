import Foundation
import HarborDomain

/// The words of texts, without differences of case, accents and width.
///
/// The index stores words. If this code finds other words in the same text than before, a migration
/// must set `searched` of the table `feed` to NULL. The groups then get new indexes.
enum SearchWords {
  /// The part of a word that is compared, in Unicode scalars.
  ///
  /// PostgreSQL stores words of up to 2 kB.
  private static let longestWord = 200
  /// The words of an activity that are found, in bytes of UTF-8.
  ///
  /// PostgreSQL stores up to 1 MB for a row. The rules of the server allow much less.
  private static let longestText = 200_000
  /// The number of words of a search that are compared.
  private static let mostWords = 100

  /// The runs of letters and numbers in a text, in the form for comparisons.
  static func words(of text: String) -> [String] {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    )
    // Databases compare bytes.
    .precomposedStringWithCanonicalMapping
    .split { !($0.isLetter || $0.isNumber) }
    // A letter of some scripts joins with the sign after it, such as a quote or a space.
    .map { word in
      let scalars = word.unicodeScalars.filter {
        !$0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      return String(String.UnicodeScalarView(scalars.prefix(longestWord)))
    }
    .filter { !$0.isEmpty }
  }

  /// The different words of an activity.
  static func words(of activity: Activity) -> ArraySlice<String> {
    let details = activity.details
    let texts =
      [details.title, details.place ?? "", details.notes ?? "", activity.host.text]
      + activity.participants.map(\.text)
    var (known, bytes): (Set<String>, Int) = ([], 0)
    return texts.flatMap { words(of: $0) }.filter { known.insert($0).inserted }.prefix { word in
      bytes += word.utf8.count + 1
      return bytes <= longestText
    }
  }

  /// A search for the activities of a scope that contain all words of a text; `nil` for no words.
  ///
  /// The last word may be the beginning of a word. The pattern has the syntax of SQLite's FTS5. A
  /// word contains no quotes and no spaces, so PostgreSQL's function translates it by replacing.
  static func pattern(for text: String, in scope: String) -> String? {
    let words = words(of: text).prefix(mostWords)
    guard !words.isEmpty else { return nil }
    return ([place(scope)] + words).map { "\"\($0)\"" }.joined(separator: " AND ") + " *"
  }

  /// A word that stands for a scope.
  ///
  /// It begins with a character for private use. No letter is such a character, so no text contains
  /// the word.
  static func place(_ scope: String) -> String {
    "\u{E000}" + scope.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
