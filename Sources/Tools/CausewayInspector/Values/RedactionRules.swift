/// Decides which parts of a value are never rendered.
package struct RedactionRules: Sendable, Equatable {
  /// Words in the names of fields, cases, keys and types whose values are always hidden.
  private static let secretWords: [[UInt8]] = [
    "passphrase", "password", "passcode", "passwd", "secret", "token", "credential",
    "authorization", "cookie", "apikey", "api_key", "api-key", "privatekey", "private_key",
    // Texts of a server in an error of the network.
    "bodyexcerpt",
  ].map { $0.utf8.map(small) }

  /// The names of the fields on the way to a hidden part of the state.
  var hiddenPaths: Set<[String]> = []
  /// The names of fields and cases whose values are hidden everywhere.
  var hiddenNames: Set<String> = []
  var texts = Texts.shown

  /// The texts that are shown.
  enum Texts: Sendable, Equatable {
    case shown
    /// No texts, because a server may have written them.
    case hidden
    /// Texts that can be addresses, without secrets and without the parts of paths after names.
    case addresses(hidingAfter: Set<String>)
  }

  /// Rules that hide only the values with usual names of secrets.
  package init() {}

  /// Whether the value of a field or a case is hidden because of its name.
  func hides(_ name: String) -> Bool {
    hiddenNames.contains(name) || Self.isSecret(name)
  }

  /// Whether a name says that its value is a secret.
  ///
  /// It compares bytes: it is called for each field of a state, and a search for characters costs
  /// more than the rest of the rendering.
  ///
  /// Complexity: O(*n*) in the length of the name.
  static func isSecret(_ name: String) -> Bool {
    // The lowercase form of a letter outside of ASCII can be an ASCII letter.
    var name = name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()
    return name.withUTF8 { bytes in
      bytes.indices.contains { start in
        firstLetters & bit(of: bytes[start]) != 0
          && secretWords.contains { word in
            start + word.count <= bytes.count
              && word.indices.allSatisfy { small(bytes[start + $0]) == word[$0] }
          }
      }
    }
  }

  /// The letters with which secret words begin, as bits; most places of a name have another letter.
  private static let firstLetters = secretWords.reduce(0) { $0 | bit(of: $1[0]) }

  private static func bit(of letter: UInt8) -> UInt32 { 1 << UInt32(letter & 31) }

  /// The byte of the lowercase form of a letter of ASCII.
  private static func small(_ byte: UInt8) -> UInt8 { byte | 0x20 }

  /// Returns the names of the stored properties of a key path.
  ///
  /// A computed property has no name at run time. The result then ends before it, so the rule hides
  /// more than the key path, never less.
  static func names(of keyPath: AnyKeyPath) -> [String] {
    let text = "\(keyPath)"
    guard text.hasPrefix("\\"), let dot = separator(in: text) else { return [] }
    let parts = text[text.index(after: dot)...].split(separator: ".")
    var names: [String] = []
    for part in parts {
      let name = part.filter { $0 != "?" && $0 != "!" }
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        return names
      }
      names.append(name)
    }
    return names
  }

  /// The dot between the root type and the first property, outside of generic arguments.
  ///
  /// The text contains the name of the root type without its module and without outer types.
  private static func separator(in text: String) -> String.Index? {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "<": depth += 1
      case ">": depth -= 1
      case "." where depth == 0: return index
      default: break
      }
    }
    return nil
  }
}
