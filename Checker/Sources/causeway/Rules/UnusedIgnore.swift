/// An ignore comment whose rule reports nothing at its line.
///
/// The comment no longer explains the code. It would hide a finding that a later change causes at
/// the same line.
///
/// Bad:
/// ```swift
/// // causeway:ignore main-queue-hop the layout has to end first
/// show(items)
/// ```
///
/// Good:
/// ```swift
/// show(items)
/// ```
///
/// Also reported when no rule has the name in the comment. Not reported for rules that do not run.
/// Some findings depend on types in other files of the module, so use `--skip unused-ignore` to
/// check single files.
enum UnusedIgnore: Rule {
  static let id = "unused-ignore"
  static let needsAllTargets = true

  /// The findings of this rule depend on the other rules; see `findings`.
  static func check(_ file: CheckedFile) -> [Finding] { [] }

  /// The comments of a file that suppress none of its findings.
  ///
  /// - Parameters:
  ///   - found: All findings of the file, including the ignored ones.
  ///   - rules: The rules that ran.
  static func findings(
    _ comments: IgnoreComments, _ found: [LocatedFinding], _ rules: [any Rule.Type]
  ) -> [Finding] {
    guard !comments.entries.isEmpty else { return [] }
    let used = Set(found.map { "\($0.line) \($0.finding.rule)" })
    return comments.entries.compactMap { entry in
      let message: String
      if RuleSet.rule(entry.rule) == nil {
        message = "there is no rule '\(entry.rule)'"
      } else if rules.contains(where: { $0.id == entry.rule }), entry.rule != id {
        guard !used.contains("\(entry.line ?? 0) \(entry.rule)") else { return nil }
        message = "this comment is not needed: '\(entry.rule)' reports nothing here"
      } else {
        return nil
      }
      return Finding(rule: id, range: entry.range, message: message, advice: "remove the comment")
    }
  }
}
