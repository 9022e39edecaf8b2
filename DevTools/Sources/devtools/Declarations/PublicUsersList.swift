import Foundation

/// The public types without a user that is an app.
struct PublicUsersList {
  /// A type, and its user if the user is not one of the usual apps.
  struct Line: Hashable {
    let type: String
    var user: String?

    var text: String { user.map { "\(type) \($0)" } ?? type }
  }

  static let path = "DevTools/public-users.list"

  private(set) var lines: [Line]

  /// Reads lines such as "MODULE: TYPE" and "MODULE: TYPE FOLDER".
  init(_ text: String) {
    lines = text.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      return Line(type: words.prefix(2).joined(separator: " "), user: words.dropFirst(2).first)
    }
  }

  var text: String { lines.map { $0.text + "\n" }.joined() }

  /// The number of types that no app uses, not even an app of a long part.
  var withoutApp: Int { lines.count { $0.user?.hasPrefix("Examples/") != true } }

  /// The users that are no apps, which every check confirms.
  var users: [String] {
    Set(lines.compactMap(\.user)).filter { !$0.hasPrefix("Examples/") }.sorted()
  }

  /// Replaces the types; a type that stays keeps its user.
  mutating func replace(with types: [String]) {
    let users = Dictionary(lines.map { ($0.type, $0.user) }, uniquingKeysWith: { $1 })
    lines = types.map { Line(type: $0, user: users[$0] ?? nil) }
  }

  /// The differences between this list and the types that no app uses.
  func differences(from types: [String]) -> [String] {
    let listed = lines.map(\.type)
    return types.filter { !listed.contains($0) }.map { "no app uses it: \($0)" }
      + listed.filter { !types.contains($0) }.map { "an app uses it now, or it is gone: \($0)" }
  }

  /// The types that the list gives to a user, although the user does not use them.
  func wrong(of user: String, unused types: [String]) -> [String] {
    lines.filter { $0.user == user && types.contains($0.type) }
      .map { "\(user) does not use it: \($0.type)" }
  }
}
