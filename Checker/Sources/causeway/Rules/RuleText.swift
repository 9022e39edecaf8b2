/// A rule's documentation comment, as `--explain`, SARIF and the documentation show it.
struct RuleText {
  let id: String
  /// The comment without its slashes.
  let markdown: String

  init(_ id: String) {
    self.init(
      id,
      markdown: defaultRuleTexts[id] ?? mainActorRuleTexts[id] ?? waitingRuleTexts[id]
        ?? optionalRuleTexts[id] ?? "")
  }

  init(_ id: String, markdown: String) {
    self.id = id
    self.markdown = markdown
  }

  /// The first paragraph, in one line.
  var summary: String { paragraph(0) }
  /// The second paragraph: the reason for the rule.
  var reason: String { paragraph(1) }
  /// The text for a terminal, without code fences.
  var plain: String {
    markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("```") }.joined(separator: "\n")
  }

  private func paragraph(_ index: Int) -> String {
    var paragraphs: [String] = [""]
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append("")
      } else {
        paragraphs[paragraphs.count - 1] +=
          (paragraphs[paragraphs.count - 1].isEmpty ? "" : " ") + line
      }
    }
    return index < paragraphs.count ? paragraphs[index] : ""
  }
}
