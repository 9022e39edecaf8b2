import Foundation

/// Writes the files that are generated from the comments of the rules.
enum DocumentCommand {
  static func run(_ words: [String]) throws -> Int32 {
    guard words.count == 2 else {
      throw ArgumentError("causeway document RULES_FOLDER PAGE")
    }
    for (path, text) in try files(rules: words[0], page: words[1]) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    return 0
  }

  /// The generated files with their paths.
  static func files(rules folder: String, page: String) throws -> [(path: String, text: String)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let sources = try names.filter { $0.hasSuffix(".swift") }.map { name in
      let path = folder + "/" + name
      return try SourceFile(path: path, bytes: Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let texts = RuleDocumentation.texts(in: sources)
    func swift(_ variable: String, _ isIncluded: (any Rule.Type) -> Bool) -> String {
      RuleDocumentation.swiftFile(
        variable: variable, RuleSet.all.filter(isIncluded), texts: texts)
    }
    // The texts are in several files, because one file would be too long.
    func isAboutMainActor(_ rule: any Rule.Type) -> Bool { rule.id.contains("main-") }
    func isAboutWaiting(_ rule: any Rule.Type) -> Bool {
      ["continuation", "cancel", "stream", "semaphore", "lock-", "group", "answer"]
        .contains { rule.id.contains($0) }
    }
    return [
      (
        folder + "/DefaultRuleTexts.swift",
        swift("defaultRuleTexts") {
          $0.isDefault && !isAboutMainActor($0) && !isAboutWaiting($0)
        }
      ),
      (
        folder + "/WaitingRuleTexts.swift",
        swift("waitingRuleTexts") { isAboutWaiting($0) }
      ),
      (
        folder + "/MainActorRuleTexts.swift",
        swift("mainActorRuleTexts") {
          $0.isDefault && isAboutMainActor($0) && !isAboutWaiting($0)
        }
      ),
      (
        folder + "/OptionalRuleTexts.swift",
        swift("optionalRuleTexts") { !$0.isDefault && !isAboutWaiting($0) }
      ),
      (page, RuleDocumentation.page(texts: texts)),
    ]
  }
}
