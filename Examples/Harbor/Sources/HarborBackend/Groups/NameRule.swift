import CausewayData
import CausewayWeb
import HarborAccounts
import HarborDomain

/// The rule for a name, wherever Harbor accepts one: at a sign-up, as a new name, for hosts,
/// participants, pictures and groups, and in imports.
///
/// A name is readable and of one alphabet. Another account must not have the name or one that looks
/// like it, even if that account has not joined the group. The same is true for another person's
/// name in the group.
struct NameRule: Sendable {
  let name: PersonName
  /// The forms of its look; see `NameLooks`.
  let looks: [String]

  /// Checks the name alone.
  ///
  /// - Throws: `PersonNameProblem`, or the error of a system library.
  init(_ typed: String) throws {
    name = try PersonName(typed)
    do {
      looks = try NameLooks.forms(of: name.text)
    } catch is Problem {
      throw PersonNameProblem.mixedAlphabets
    }
  }

  /// Checks the name of a group, and returns it without surplus white space.
  ///
  /// - Throws: ``Refusal``, or the error of a system library.
  static func ofGroup(_ typed: String) throws -> String {
    do {
      return try NameRule(typed).name.text
    } catch is PersonNameProblem {
      throw Refusal(
        "Give the group a name of 1 to 40 characters in one alphabet, without invisible ones.")
    }
  }

  /// Checks that no other account has the name, or a name that looks like it.
  ///
  /// - Parameter account: The account that wants the name; `nil` for a new one.
  /// - Throws: ``Refusal``.
  func check(for account: String?, in transaction: any ReadTransaction) throws {
    let owner: SQL = "SELECT id FROM account WHERE key = \(name.key)"
    if let owner = try transaction.row(owner, as: String.self) {
      // Older accounts can have names that look the same.
      if owner == account { return }
      throw Refusal(
        "There is an account of the name “\(name)”. Choose another name, or sign in if it is yours."
      )
    }
    guard try !NameLooks.isTaken(looks, exceptBy: account, in: transaction) else {
      throw Refusal(
        "There is an account whose name looks like “\(name)”. Choose another name.")
    }
  }

  /// Checks that no other account uses the name, or one that looks like it, on a board.
  ///
  /// - Throws: ``Refusal``.
  func check(
    for account: String?, at place: Place, in transaction: any ReadTransaction
  ) throws {
    if let owner = try Names.owner(of: name.text, at: place, in: transaction) {
      if owner == account { return }
      throw Refusal(
        "“\(name)” is another person of this group. Change your name if it is yours too.")
    }
    for form in looks {
      let taken: SQL = """
        SELECT 1 FROM person_look JOIN person_name
        ON person_name.scope = person_look.scope AND person_name.key = person_look.key
        WHERE person_look.scope = \(place.scope) AND form = \(form)
        AND account <> \(account ?? "") LIMIT 1
        """
      guard try transaction.row(taken, as: Int.self) == nil else {
        throw Refusal(
          "“\(name)” looks like another person of this group. Choose another name.")
      }
    }
    try check(for: account, in: transaction)
  }

  /// Checks an imported name, which may be an account's name but must not only look like one.
  ///
  /// - Throws: ``Refusal``, or `PersonNameProblem`.
  static func check(
    imported name: String, at place: Place, in transaction: any ReadTransaction
  ) throws {
    let rule = try NameRule(name)
    let key: SQL = "SELECT id FROM account WHERE key = \(rule.name.key)"
    let owner =
      try Names.owner(of: name, at: place, in: transaction)
      ?? transaction.row(key, as: String.self)
    if owner == nil { try rule.check(for: nil, at: place, in: transaction) }
  }
}
